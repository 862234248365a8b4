import { execFileSync } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillReferences } from "../contract/call-references.ts";
import { ANY_CALL, OTHER_WORLD } from "../contract/cause-examples.ts";
import { causeNames, findCause } from "../contract/causes.ts";
import { controlOperations } from "../contract/control/all-operations.ts";
import { operationsProvoke, type Provocation, requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { credentialsList } from "../contract/control/operations.ts";
import { policyChoices, policyNames, policyQuestions } from "../contract/control/policies.ts";
import { policiesSet, worldsDelete } from "../contract/control/world-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { operationCodes, operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { AnswerCheck } from "../testing/answer-check.ts";
import { credentialHeaders, type ServiceResponse, startTestService, type TestService } from "../testing/harness.ts";
import { ServedDocument } from "../testing/served-document.ts";

let service: TestService;
let served: ServedDocument;
let check: AnswerCheck;
beforeAll(async () => {
  service = await startTestService();
  served = await ServedDocument.of(service);
  check = new AnswerCheck(served);
});
afterAll(() => service.end());

const pathTo = (id: string): string => {
  const operation = partnerOperations.find((one) => one.id === id);
  return operation ? operationPath(operation) : `/__${id.replace(".", "/")}`;
};

const keyOf = async (world: string, integration: string | null): Promise<Record<string, string>> => {
  const { items } = await service.control(credentialsList, { world, reveal: true });
  const credential = items.find((one) => one.integration_id === integration);
  return credential ? credentialHeaders({ ...credential, api_key: credential.api_key ?? "" }) : {};
};

/** Makes the calls that come first. @returns their responses by name */
const makeFirst = async (after: Provocation["after"]): Promise<Record<string, unknown>> => {
  const saved: Record<string, unknown> = {};
  for (const { operation, path, body, act_as, tenant, save } of after) {
    const token = path.startsWith("/__sandbox/") ? { authorization: `Bearer ${service.ready.control_token}` } : {};
    const headers = {
      ...token,
      ...(act_as === null ? {} : await keyOf("default", act_as)),
      "x-sandbox-tenant": tenant,
    };
    const answer = await service.raw(path, {
      headers: { "content-type": "application/json", ...headers },
      body: fillReferences(body, saved),
    });
    expect([operation, answer.status]).toEqual([operation, 200]);
    if (save !== undefined) saved[save] = answer.body;
  }
  return saved;
};

/** Sends a composed call after its prerequisites. */
const send = async (
  { after, call: composed, fault, needs_policy }: Provocation,
  world: string,
): Promise<ServiceResponse> => {
  const call = JSON.parse(fillReferences(JSON.stringify(composed), await makeFirst(after))) as typeof composed;
  if (needs_policy)
    await service.control(policiesSet, { world, policies: { [needs_policy.name]: needs_policy.value } });
  if (fault) await service.control(faultsSet, { world, ...fault });
  return service.raw(pathTo(call.operation), {
    headers: {
      "content-type": "application/json",
      ...(call.act_as === null ? {} : await keyOf(world, call.act_as)),
      "x-sandbox-tenant": call.tenant ?? world,
      ...Object.fromEntries(call.headers),
    },
    body: call.body,
  });
};

const codeIn = ({ body }: ServiceResponse): unknown => {
  const { type, reason } = Object(body) as { type?: string; reason?: string };
  return typeof body === "string" ? body : (type ?? reason);
};

/** Provokes every error of an operation. @returns their causes */
const provokeErrors = async (operation: string): Promise<Set<string>> => {
  const world = `provoked.${operation}`;
  const provoked = new Set<string>();
  const { items } = await service.control(operationsProvoke, { world, operation });
  const declared = partnerOperations.find(({ id }) => id === operation);
  if (declared) expect(new Set(items.map(({ code }) => code))).toEqual(new Set(operationCodes(declared)));
  expect(new Set(items.map(({ code, cause }) => `${code} ${cause}`)).size).toBe(items.length);
  for (const item of items) {
    const answer = await send(item, world);
    expect([answer.status, codeIn(answer)], `${item.sentence} ${answer.text}`).toEqual([item.status, item.code]);
    const asDocumented = served.operation(operation);
    if (!item.fault)
      expect(check.problems(asDocumented, item.status, answer.headers, answer.body), answer.text).toEqual([]);
    // A call with an invalid tenant name is recorded in `default`.
    const { tenant = world } = item.call;
    const of = tenant === OTHER_WORLD ? OTHER_WORLD : tenant === world ? world : "default";
    const id = answer.headers.get("x-request-id") ?? "";
    const { refusal } = await service.control(requestsExplain, { world: of, id });
    expect(refusal?.cause).toBe(item.cause ?? "fault");
    if (item.cause) provoked.add(item.cause);
  }
  // Deletes its jobs: they would be the cause of another world’s refusals.
  await service.control(worldsDelete, { world });
  return provoked;
};
const provokedBy = new Map<string, Promise<Set<string>>>();
/** Provokes them once in this file, because two tests look at them. */
const provokedOnce = (operation: string): Promise<Set<string>> => {
  const provoked = provokedBy.get(operation) ?? provokeErrors(operation);
  provokedBy.set(operation, provoked);
  return provoked;
};

const provokable = [...partnerOperations.map(({ id }) => id), "webhooks.subscribe", "webhooks.secret"];
test.each(provokable)("every error of %s is returned as documented, and explained by its cause", async (operation) => {
  expect((await provokedOnce(operation)).size).toBeGreaterThan(0);
});

test("every cause with an example call is reproduced by an operation", async () => {
  const provoked = new Set<string>();
  for (const operation of provokable) for (const cause of await provokedOnce(operation)) provoked.add(cause);
  const ofOperations = causeNames.filter((cause) => {
    const row = findCause(cause);
    return row?.example !== undefined && !row.example(ANY_CALL, {})?.path && cause !== "https_required";
  });
  expect([...provoked].toSorted()).toEqual(ofOperations.toSorted());
}, 60_000);

test("every cause has either an example call or an explanation of how it arises", () => {
  const silent = causeNames.filter((cause) => {
    const row = findCause(cause);
    return (row?.example === undefined) === (row?.arises === undefined);
  });
  expect(silent).toEqual([]);
});

/** Sends a call of any method, also with a Host header of another service, which `fetch` does not permit. */
const request = async (
  method: string,
  url: string,
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<ServiceResponse> => {
  const made = http.request(url, { method, headers }).end(body);
  const [response] = (await once(made, "response")) as [http.IncomingMessage];
  const sent = await text(response);
  const got = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  return { status: response.statusCode ?? 0, headers: got, text: sent, body: sent };
};

const ofNoOperation = causeNames.flatMap((cause) => {
  const call = findCause(cause)?.example?.(ANY_CALL, {});
  return call?.path === undefined ? [] : [[cause, call] as const];
});
test.each(ofNoOperation)("an example outside the operations is refused with its cause: %s", async (cause, call) => {
  const { method = "POST", path = "", tenant, after = [], headers = {}, text: typed = "", pipe, twice = false } = call;
  const body = pipe === undefined ? typed : execFileSync("sh", ["-c", pipe], { maxBuffer: 32 * 1024 * 1024 });
  const first = after.map(({ operation, body, world = "default", ...more }) => {
    const declared = [...partnerOperations, ...controlOperations].find(({ id }) => id === operation);
    const isControl = declared?.surface === "control";
    return {
      ...{ operation, path: declared ? operationPath(declared) : "", tenant: world, ...more },
      body: JSON.stringify(isControl ? { world, ...body } : body),
      act_as: isControl ? null : fixedCredentials.repairer.integration_id,
    };
  });
  const address = fillReferences(path, await makeFirst(first));
  const url = address.startsWith("/") ? service.baseUrl + address : address;
  const send = () => request(method, url, headers as Record<string, string>, body);
  if (twice) expect((await send()).status).toBe(200);
  const answer = await send();
  const id = answer.headers.get("x-request-id") ?? "";
  const { refusal } = await service.control(requestsExplain, { world: tenant ?? "default", id });
  expect([refusal?.cause, refusal?.status]).toEqual([cause, answer.status]);
});

test("omits errors whose preparatory calls aren't possible from the given world", async () => {
  const asked = { operation: "repairer.jobs.get" };
  const listed = async (world: string) =>
    (await service.control(operationsProvoke, { world, ...asked })).items.flatMap(({ cause }) => cause ?? []);
  expect(await listed("default")).toEqual(
    expect.arrayContaining(["job_in_other_world", "job_from_before", "job_deleted"]),
  );
  const there = await listed(OTHER_WORLD);
  expect(there).toContain("job_deleted");
  expect(there).not.toContain("job_in_other_world");
});

test("filters errors by code, and refuses an unknown operation", async () => {
  const asked = { operation: "repairer.jobs.get", code: "not_found" };
  const { items } = await service.control(operationsProvoke, asked);
  expect(items.map(({ cause, own }) => [cause, own])).toEqual(
    ["job_unknown", "job_in_other_world", "job_from_before", "job_deleted"].map((cause) => [cause, true]),
  );
  await expect(service.control(operationsProvoke, { operation: "worlds.list" })).rejects.toThrow(/404/);
});

test("both responses of a setting match its example", async () => {
  const held: string[] = [];
  // Tested with subscriptions, because it needs a world with its own keys.
  for (const policy of policyNames.filter((name) => name !== "subscribe_credentials")) {
    const { leads, example } = policyQuestions[policy];
    expect(Object.keys(leads)).toEqual([...policyChoices[policy]]);
    for (const [choice, [status, result]] of Object.entries(leads)) {
      if (status === null) continue;
      const world = `${policy}.${choice}`;
      await service.control(policiesSet, { world, policies: { [policy]: choice } });
      const ofBoth = await Promise.all(
        ["repairer.jobs.insert", "supplier.procurements.confirm"].map((operation) =>
          service.control(operationsProvoke, { operation }),
        ),
      );
      const listed = ofBoth.flatMap((one) => one.items);
      const cause = { jobs_insert_conflict: "job_exists", jobs_insert_unknown_id: "job_id_not_assigned" }[
        policy as string
      ];
      const named = { confirm_when_confirmed: "confirmed_already", confirm_when_cancelled: "confirm_of_cancelled" };
      const item = listed.find((one) => one.cause === (cause ?? named[policy as keyof typeof named]));
      const answer = await send({ ...(item ?? expect.unreachable(policy)), needs_policy: null }, world);
      expect([answer.status, status === 200 ? "accepted" : codeIn(answer)]).toEqual([status, result]);
      expect(item?.sentence).toBe(example);
      await service.control(worldsDelete, { world });
      held.push(policy);
    }
  }
  expect(new Set(held).size).toBe(4);
});
