import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations, partsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const SITE = requestExamples["repairer.jobs.insert"].repairer_site_id;
const JOB = { external: "estimate:88213" };
const send = (id: string, body: unknown, world: string, query = "") => {
  const operation = partnerOperations.find((one) => one.id === id);
  const headers = { ...credentialHeaders(repairer), "x-sandbox-tenant": world };
  return service.post((operation ? operationPath(operation) : `/__${id.replace(".", "/")}`) + query, body, headers);
};
const explain = (answer: { readonly headers: Headers }, world: string, token = service.ready.control_token) => {
  const id = answer.headers.get("x-request-id") ?? "";
  return service.ok(requestsExplain, { world, id }, undefined, { authorization: `Bearer ${token}` });
};
const warn = async (id: string, body: unknown, world: string) => {
  const answer = await send(id, body, world);
  expect(answer.status).toBe(200);
  return (await explain(answer, world)).warning;
};
const insert = (more: object) => ({ identity: { external: "new" }, repairer_site_id: SITE, ...more });
const parts = (...items: object[]) => ({ job_identity: JOB, parts: items });

test("tells that a repeated call inserted the same parts again, and whether the first response was lost", async () => {
  const world = "repeated-parts";
  await service.make(world);
  const body = parts({ description: "Fog lamp bracket", quantity: 1 });
  const effect = { drop: { when: "after" as const } };
  await service.control(faultsSet, { world, operation: partsInsert.id, effect, uses: 1 });
  await send(partsInsert.id, body, world).catch(() => undefined);
  expect(await warn(partsInsert.id, body, world)).toMatch(
    /^The same call .* earlier inserted these parts, .* twice\. A fault left it without a response\. Give/,
  );
  expect(await warn(partsInsert.id, body, world)).toMatch(/^The same call [^,]* earlier inserted these parts/);
  const answered = parts({ description: "Fog lamp", quantity: 1 });
  const error = { error: { status: 503, when: "after" as const } };
  await service.control(faultsSet, { world, operation: partsInsert.id, effect: error, uses: 1 });
  await send(partsInsert.id, answered, world);
  expect(await warn(partsInsert.id, answered, world)).toMatch(/ A fault returned 503 in place of its response\. /);
  const named = parts({ identity: { external_id: "1" }, description: "Clip", quantity: 1 });
  expect(await warn(partsInsert.id, named, world)).toBeUndefined();
  expect(await warn(partsInsert.id, named, world)).toBeUndefined();
});

test.each([
  [
    "parts in a job",
    "repairer.jobs.insert",
    insert({ parts: [{ description: "Bumper" }] }),
    /^`parts` was ignored\. .*`repairer\.jobs\.parts\.insert`/,
  ],
  [
    "a replace",
    "repairer.jobs.insert",
    insert({ identity: JOB, job_number: "J-20418", if_: { exists: "replace" } }),
    /^The replace cleared .*`vehicle`/,
  ],
  [
    "a part without a description",
    partsInsert.id,
    parts({ name: "Bumper", qty: 2 }),
    /`\/parts\/0` has no `description`/,
  ],
  [
    "a part of quantity 0",
    partsInsert.id,
    parts({ description: "Bumper", quantity: 0 }),
    /has the quantity 0, so no supplier offers it/,
  ],
  [
    "another region code",
    "tier1.prepare",
    {
      identifiers: [
        { region: "NZL", plate: "A" },
        { region: "nz", plate: "A" },
      ],
    },
    /^2 identifiers were not queued: .* as `NZ`\.$/,
  ],
  [
    "an identifier as a text",
    "tier1.prepare",
    { identifiers: ["7A8DK0S1904128461"] },
    /^One identifier was not queued: .*`7A8DK0S1904128461` as `chassis_number`/,
  ],
])("tells the effect of %s", async (_what, id, body, warning) => {
  expect(await warn(id, body, "silent")).toMatch(warning);
});

test("names the fields of a part by what they are called elsewhere", async () => {
  const { ignored } = await explain(await send(partsInsert.id, parts({ name: "Bumper", qty: 2 }), "silent"), "silent");
  expect(ignored.map(({ message }) => message)).toEqual([
    "/parts/0/name is not a known field; did you mean description?",
    "/parts/0/qty is not a known field; did you mean quantity?",
  ]);
});

test("tells, to those who may see it, that the integration is subscribed in another world", async () => {
  const subscription = { integration_id: repairer.integration_id, url: "http://127.0.0.1:5999/hooks" };
  await send("webhooks.subscribe", subscription, "subscribed");
  const answer = await send("repairer.jobs.insert", insert({}), "unsubscribed");
  expect((await explain(answer, "unsubscribed")).notes).toContain(
    "This integration has no subscription in this world, but has one in world subscribed, which gets no event of this call. Subscribe with `x-sandbox-tenant: unsubscribed`.",
  );
  const { token } = await service.control(tokensCreate, { world: "unsubscribed", name: "view", scope: "view" });
  expect((await explain(answer, "unsubscribed", token)).warning).toBeUndefined();
  const other = await send("repairer.jobs.insert", insert({}), "subscribed");
  expect((await explain(other, "subscribed")).warning).toBeUndefined();
});

test("notes a world in the address, and a test value that has no effect", async () => {
  const answer = await send("businesses.list", {}, "silent", "?tenant=acme");
  expect((await explain(answer, "silent")).notes).toEqual([
    "The parameter tenant of the address was ignored, and the call went to world silent. Name the world in the header x-sandbox-tenant.",
  ]);
  const capital = await send(
    "repairer.jobs.insert",
    insert({ identity: { external: "t" }, claim_number: "Test:offers=one" }),
    "silent",
  );
  expect((await explain(capital, "silent")).notes?.slice(0, 1)).toEqual([
    expect.stringMatching(/^A test value begins with test:, in lower case/),
  ]);
});
