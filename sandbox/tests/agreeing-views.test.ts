import { afterAll, beforeAll, expect, test } from "vitest";
import { activityList } from "../contract/control/activity-operations.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { accessCodesIssue, requestsList } from "../contract/control/operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { worldsReset } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import type { Operation, RequestOf, ResponseOf } from "../contract/operation.ts";
import { businessesList, integrationsInsert } from "../contract/operations/partner.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  startTestService,
  type TestService,
} from "../testing/harness.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const { client_id, client_secret } = fixedClients.demo;
const organization_id = buildSeedWorld().credentials[0]?.organization_id ?? "";
const install = async (world: string) => {
  const code = await service.control(accessCodesIssue, { world, client_id, organization_id, scope: "repairer" });
  const body = { client_id, client_secret, access_code: code.access_code };
  return service.ok(integrationsInsert, body, undefined, { "x-sandbox-tenant": world });
};
const call = (world: string, key = repairer) => service.call(businessesList, {}, key, { "x-sandbox-tenant": world });

/** Reads a call's cause in each view. @param token the operator's by default */
const views = async (answer: Pick<ServiceResponse, "headers">, world: string, token = service.ready.control_token) => {
  const ask = <O extends Operation>(operation: O, body: RequestOf<O>): Promise<ResponseOf<O>> =>
    service.ok(operation, body, undefined, { authorization: `Bearer ${token}` });
  const id = answer.headers.get("x-request-id") ?? "";
  const { refusal } = await ask(requestsExplain, { world, id });
  const { items } = await ask(requestsList, { world, cause: refusal?.cause ?? "" });
  const activity = await ask(activityList, { world });
  const group = activity.items.find(({ last_call }) => last_call.id === id);
  return { refusal, reason: items.find((one) => one.id === id)?.reason, group };
};

test("a key of another world is explained alike to a reader of both, and not to one of the other", async () => {
  const key = await install("views-b");
  await call("views-a");
  const answer = await call("views-a", key);
  const { refusal, reason, group } = await views(answer, "views-a");
  expect(refusal).toMatchObject({
    cause: "key_of_other_world",
    sentence: "The integration ID belongs to world views-b.",
  });
  expect(reason).toBe(refusal?.sentence);
  expect(group).toMatchObject({ cause: "key_of_other_world", sentence: "The key belongs to another world." });

  const { token } = await service.control(tokensCreate, { name: "a", world: "views-a", scope: "view" });
  const seen = await views(answer, "views-a", token);
  expect(seen.refusal?.cause).toBe("credentials");
  expect(seen.reason).toBe(seen.refusal?.sentence);
  expect(seen.group?.cause).toBe("credentials");
  expect(JSON.stringify(seen)).not.toContain("views-b");
});

test("a key from before a reset is explained alike, with the remedy", async () => {
  const key = await install("views-reset");
  await service.control(worldsReset, { world: "views-reset" });
  await call("views-reset");
  const { refusal, reason, group } = await views(await call("views-reset", key), "views-reset");
  expect(refusal).toMatchObject({ cause: "key_from_before", what_to_do: expect.stringMatching(/^Install again/) });
  expect(reason).toBe(refusal?.sentence);
  expect(group?.what_to_do).toBe(refusal?.what_to_do);
});

test("an address of another version is explained alike", async () => {
  await call("views-a");
  const answer = await service.raw("/api/2025-10/businesses.list", {
    headers: { ...credentialHeaders(repairer), "x-sandbox-tenant": "views-a" },
    body: "{}",
  });
  expect(JSON.parse(answer.text)).toEqual({
    type: "not_found",
    message: "No operation at /api/2025-10/businesses.list.",
  });
  const { refusal, reason, group } = await views(answer, "views-a");
  expect(refusal?.sentence).toBe("This service has version `2026-01`, not `2025-10`.");
  expect(refusal?.what_to_do).toContain("/api/2026-01/businesses.list");
  expect(reason).toBe(refusal?.sentence);
  expect(group?.cause).toBe("unknown_version");
});

test.each([
  ["OPTIONS", { "access-control-request-method": "POST" }, "views-a", /^A browser asked/],
  ["POST", { "x-sandbox-tenant": "{{world}}" }, "default", /placeholder/],
])("a call by %s that reaches no operation is explained alike: %j", async (method, headers, world, sentence) => {
  const answer = await service.raw("/api/2026-01/businesses.list", {
    method,
    headers: { ...credentialHeaders(repairer), "x-sandbox-tenant": world, ...headers },
  });
  const { refusal, reason } = await views(answer, world);
  expect(refusal?.sentence).toMatch(sentence);
  expect(reason).toBe(refusal?.sentence);
});
