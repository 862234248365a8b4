import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cause, causeOf, causes } from "../contract/causes.ts";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { controlOperations, credentialsList } from "../contract/control/operations.ts";
import { operationsProvoke, type Provocation } from "../contract/control/provoke-operations.ts";
import { snapshotsExport, snapshotsImport, snapshotsRestore } from "../contract/control/snapshot-operations.ts";
import { policiesSet, worldSummary } from "../contract/control/world-operations.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { type Operation, pathOf } from "../contract/operation.ts";
import { codesOf } from "../contract/operation-errors.ts";
import {
  jobsInsert,
  partnerOperations,
  partsInsert,
  procurementsCancel,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import {
  type Answer,
  credentialHeaders,
  repairer,
  startTestService,
  supplier,
  type TestService,
} from "../testing/harness.ts";
import { placeOrder, siteOf } from "../testing/order.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const operations: readonly Operation[] = partnerOperations;

const provoke = async (operation: Operation, world: string, asked: { code?: string; integration_id?: string } = {}) =>
  (await service.control(operationsProvoke, { world, operation: operation.id, reveal: true, ...asked })).items;

/** Sends a call as it was composed, over HTTP, and arms its fault before. */
const send = async ({ call, fault, needs }: Provocation, operation: Operation, world: string): Promise<Answer> => {
  if (!call) return expect.unreachable(`there is no call: ${needs}`);
  if (fault) await service.control(faultsSet, { world, ...fault });
  const { items } = await service.control(credentialsList, { world, reveal: true });
  const credential = items.find((one) => one.integration_id === call.act_as);
  return service.raw(pathOf(operation), {
    headers: {
      "content-type": "application/json",
      ...(credential ? credentialHeaders({ ...credential, api_key: credential.api_key ?? "" }) : {}),
      "x-sandbox-tenant": call.tenant ?? world,
      ...Object.fromEntries(call.headers),
    },
    body: call.body,
  });
};

const codeIn = ({ body }: Answer): unknown =>
  typeof body === "object" && body !== null && "type" in body ? body.type : body;

/** What has to be done first, done as it is said. */
const remedies: readonly (readonly [RegExp, (headers: Record<string, string>, world: string) => Promise<unknown>])[] = [
  [
    /^Switch assumption D30 to reject first: /,
    (_, world) => service.control(policiesSet, { world, policies: { jobs_insert_conflict: "reject" } }),
  ],
  [
    /^Switch assumption D31 to reject first: /,
    (_, world) => service.control(policiesSet, { world, policies: { jobs_insert_unknown_id: "reject" } }),
  ],
  [
    /^Switch assumption D50 to reject first: /,
    (_, world) => service.control(policiesSet, { world, policies: { confirm_when_confirmed: "reject" } }),
  ],
  [
    /^Switch assumption D51 to reject first: /,
    (_, world) => service.control(policiesSet, { world, policies: { confirm_when_cancelled: "reject" } }),
  ],
  [/^Insert a job of Tarn & Rowe Collision( with a number)? first\.$/, (headers) => insertJob("a", headers)],
  [
    /^Insert two jobs of Tarn & Rowe Collision, one of them with a part, first\.$/,
    async (headers) => {
      await insertJob("b", headers);
      await insertJob("c", headers);
      const parts = [{ description: "Bonnet" }];
      await service.ok(partsInsert, { job_identity: { external: "c" }, parts }, repairer, headers);
    },
  ],
  [
    /^Insert a part of a job of Tarn & Rowe Collision that is offered first\.$/,
    async (headers) => {
      await insertJob("d", headers);
      const parts = [{ description: "Bonnet" }];
      await service.ok(partsInsert, { job_identity: { external: "d" }, parts }, repairer, headers);
    },
  ],
  [/^Place an order (of|for a job of) Tarn & Rowe Collision first\.$/, (headers) => placeOrder(service, "e", headers)],
  [
    /^Confirm an order of (Tarn & Rowe Collision|Meridian Genuine Parts) first\.$/,
    async (headers) => {
      const { id } = await placeOrder(service, "f", headers);
      await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, headers);
    },
  ],
  [
    /^Cancel an order of (Tarn & Rowe Collision|Meridian Genuine Parts) first\.$/,
    async (headers) => {
      const { id } = await placeOrder(service, "g", headers);
      await service.ok(procurementsCancel, { identity: { id } }, supplier, headers);
    },
  ],
];

const insertJob = async (external: string, headers: Record<string, string>) =>
  service.ok(
    jobsInsert,
    { identity: { external }, repairer_site_id: await siteOf(service, headers), job_number: `J-${external}` },
    repairer,
    headers,
  );

/** Holds every error of an operation to what it is answered, after doing first what it says has to be done first. */
const held = async (operation: Operation, world: string): Promise<Provocation[]> => {
  const headers = { "x-sandbox-tenant": world };
  const before = await service.control(worldSummary, { world });
  const items = await provoke(operation, world);
  expect(await service.control(worldSummary, { world })).toEqual(before);
  /** The same as it is now: what was done for one error may be what another takes, too. */
  const now = async ({ code, cause, name }: Provocation): Promise<Provocation> => {
    const same = (one: Provocation) => one.code === code && one.cause === cause && one.name === name;
    return (await provoke(operation, world)).find(same) ?? expect.unreachable(name);
  };
  const sent: Provocation[] = [];
  for (const item of items) {
    let ready = await now(item);
    for (let done = 0; ready.needs !== null && done < 3; done += 1) {
      const { needs } = ready;
      expect(ready).toMatchObject({ call: null, fault: null });
      const [, remedy] = remedies.find(([sentence]) => sentence.test(needs)) ?? expect.unreachable(needs);
      await remedy(headers, world);
      ready = await now(item);
    }
    const answer = await send(ready, operation, world);
    expect([answer.status, codeIn(answer)], `${operation.id} ${ready.name}: ${answer.text}`).toEqual([
      item.status,
      item.code,
    ]);
    const id = answer.headers.get("x-request-id") ?? "";
    if (ready.cause !== null)
      expect((await service.control(requestsExplain, { world, id })).refusal?.cause).toBe(ready.cause);
    if (ready.fault !== null)
      expect((await service.control(requestsExplain, { world, id })).refusal?.whose_side).toBe("fault");
    sent.push(ready);
  }
  return sent;
};

/** Whatever a world is like, so many errors are told with what they take. */
const worlds: readonly (readonly [string, (world: string) => Promise<void>])[] = [
  ["as it is seeded", async () => undefined],
  [
    "without jobs and orders",
    async (world) => {
      const { document } = await service.control(snapshotsExport, { world, reveal: true });
      const emptied = new Set(["jobs", "job_parts", "procurements", "procurement_parts"]);
      const tables = document.tables.map((table) => (emptied.has(table.name) ? { ...table, rows: [] } : table));
      await service.control(snapshotsImport, { world, document: { ...document, tables }, name: "emptied" });
      await service.control(snapshotsRestore, { world, name: "emptied" });
    },
  ],
  [
    "with every switch the other way",
    async (world) => {
      const policies = {
        jobs_insert_conflict: "update",
        jobs_insert_unknown_id: "create",
        confirm_when_confirmed: "reject",
        confirm_when_cancelled: "not_found",
      } as const;
      await service.control(policiesSet, { world, policies });
    },
  ],
];

describe.each(worlds)("in a world %s", (what, prepare) => {
  test.each(operations)("every error of $id is answered as it is said", async (operation) => {
    const world = `${operation.id}.${what.replaceAll(/\W/g, "-")}`.slice(0, 64);
    await prepare(world);
    const items = await held(operation, world);
    expect([...new Set(items.map(({ code }) => code))]).toEqual([...codesOf(operation)]);
    // Twice the same cause would be twice the same button.
    expect(new Set(items.map(({ code, cause, name }) => `${code} ${cause} ${name}`)).size).toBe(items.length);
  });
});

test("every cause a call to an operation can be refused for is made to happen by one", async () => {
  const all = await Promise.all(operations.map((operation) => provoke(operation, "default")));
  const provoked = new Set(all.flat().map(({ cause }) => cause));
  const ofOperations = (Object.keys(causes) as Cause[]).filter(
    (cause) => causeOf(cause).section !== "Webhooks: Subscription",
  );
  // No operation moves an order to where it is placed: offers are placed, and make a new one.
  expect(ofOperations.filter((cause) => !provoked.has(cause))).toEqual(["procurement_placed"]);
});

test("the caller that is asked for makes the call, where the error leaves the choice", async () => {
  const cancel = operations.find(({ id }) => id === "procurements.cancel") ?? expect.unreachable();
  for (const { integration_id } of [repairer, supplier]) {
    const [item] = await provoke(cancel, "default", { code: "not_found", integration_id });
    expect(item?.call?.act_as).toBe(integration_id);
  }
  const other = await provoke(cancel, "default", { code: "unauthorized", integration_id: repairer.integration_id });
  expect(other.map(({ call, says }) => [call?.act_as, says])).toEqual([
    [null, "sends none"],
    [null, "sends a key that is of no integration"],
    [null, "leaves the word Bearer out"],
  ]);
});

test("no secret is in a call unless it is asked for", async () => {
  const { client_secret } = requestExamples["integrations.insert"];
  const operation = "integrations.insert";
  expect(JSON.stringify(await service.control(operationsProvoke, { operation }))).not.toContain(client_secret);
  expect(JSON.stringify(await service.control(operationsProvoke, { operation, reveal: true }))).toContain(
    client_secret,
  );
});

/** Where an operation of the sandbox itself is called, by the documents it serves. */
const ownPaths = async (): Promise<ReadonlyMap<string, string>> => {
  type Paths = Record<string, Record<string, { operationId: string }>>;
  const headers = { authorization: `Bearer ${service.ready.control_token}` };
  const read = async (path: string): Promise<[string, string][]> => {
    const { paths } = (await service.raw(path, { method: "GET", headers })).body as { paths: Paths };
    return Object.entries(paths).flatMap(([at, item]) =>
      Object.values(item).map(({ operationId }): [string, string] => [operationId, at]),
    );
  };
  return new Map([...(await read("/openapi.json")), ...(await read("/__sandbox/openapi.json"))]);
};

const routes = ["webhooks.subscribe", "webhooks.secret", "webhooks.sink"];

test.each([...routes, ...controlOperations.map(({ id }) => id)])(
  "every error of %s, the sandbox’s own, is answered as it is said",
  async (operation) => {
    const { items } = await service.control(operationsProvoke, { operation });
    expect(items.length).toBeGreaterThan(0);
    const path = (await ownPaths()).get(operation) ?? expect.unreachable(operation);
    const token = path.startsWith("/__sandbox/") ? { authorization: `Bearer ${service.ready.control_token}` } : {};
    for (const { name, status, code, call, needs } of items) {
      expect(call === null).toBe(needs !== null);
      if (call === null) continue;
      const headers = { "content-type": "application/json", ...token, ...Object.fromEntries(call.headers) };
      const answer = await service.raw(path, { headers, body: call.body });
      const { type, reason } = answer.body as { type?: string; reason?: string };
      expect([answer.status, type ?? reason], `${name}: ${answer.text}`).toEqual([status, code]);
    }
  },
);

test("what is no operation has no errors to give", async () => {
  const headers = { authorization: `Bearer ${service.ready.control_token}` };
  expect(await service.call(operationsProvoke, { operation: "nothing" }, undefined, headers)).toMatchObject({
    status: 404,
    body: { type: "not_found" },
  });
});
