import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { deliveriesList } from "../contract/control/operations.ts";
import { integrationsReadiness, type Readiness } from "../contract/control/readiness-operations.ts";
import { deliveriesSendDrill, receiversCreate } from "../contract/control/receiver-operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import { drillNames } from "../contract/drill-names.ts";
import { operationPath } from "../contract/operation.ts";
import {
  businessesList,
  jobsGet,
  jobsInsert,
  partsList,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { SANDBOX_RECEIVER_HEADER } from "../rules/webhooks/receiver.ts";
import { newId } from "../storage/new-id.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

// Each test has a world of its own, because what is counted and subscribed stays in a world.
let world = "";
let inWorld: Record<string, string> = {};
let worlds = 0;
beforeEach(() => {
  worlds += 1;
  world = `readiness-${worlds}`;
  inWorld = { "x-sandbox-tenant": world };
});

const readReadiness = (integration_id = repairer.integration_id): Promise<Readiness> =>
  service.control(integrationsReadiness, { world, integration_id });
const names = ({ next }: Readiness, kind: string) => next.flatMap((one) => (one.kind === kind ? one.name : []));
const delivered = async (count: number): Promise<void> => {
  for (const end = Date.now() + 10_000; ; ) {
    const { items } = await service.control(deliveriesList, { world, status: "delivered" });
    if (items.length >= count) return;
    if (Date.now() > end) throw new Error(`${items.length} were delivered`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const textOf = async (request: http.IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
};

/** A partner's receiver: responds `first` to the first notification, 400 to a stale one, and `others` to the rest. */
const partnersReceiver = async (first: number, others = 200): Promise<string> => {
  let count = 0;
  const server = http.createServer(async (request, response) => {
    const { webhook_timestamp } = JSON.parse(await textOf(request)) as { webhook_timestamp: string };
    count += 1;
    const isOld = Date.now() - Date.parse(webhook_timestamp) > 300_000;
    response.writeHead(count === 1 ? first : isOld ? 400 : others).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=their-own-secret`;
  const { integration_id } = repairer;
  expect(await service.post("/__webhooks/subscribe", { integration_id, url }, inWorld)).toMatchObject({ status: 200 });
  return url;
};

const insertJob = (external: string, repairer_site_id: string) =>
  service.call(jobsInsert, { identity: { external }, repairer_site_id }, repairer, inWorld);

/** Calls one operation three times: it creates two jobs and refuses the third. */
const insertJobs = async (repairer_site_id: string): Promise<void> => {
  const answers: Awaited<ReturnType<typeof insertJob>>[] = [];
  for (const external of ["one", "two", "one"]) answers.push(await insertJob(external, repairer_site_id));
  expect(answers.map(({ status }) => status === 200)).toEqual([true, true, false]);
};

test("an unused integration has met nothing, and gets a next step for each", async () => {
  const readiness = await readReadiness(supplier.integration_id);
  expect(readiness).toMatchObject({
    scope: "supplier",
    preloaded: true,
    record: { since: null, calls: 0, deliveries: 0 },
    summary: {
      operations: { met: 0 },
      error_codes: { met: 0 },
      events: { met: 0, of: 1 },
      drills: { met: 0, of: drillNames.length, passed: 0 },
    },
  });
  expect(names(readiness, "subscription")).toEqual(["webhooks.subscribe"]);
  expect(names(readiness, "event")).toEqual(["supplier.procurements"]);
  expect(names(readiness, "drill")).toEqual([...drillNames]);
  const ofTheContract = readiness.operations.filter(({ origin }) => origin === "contract");
  expect(readiness.summary.operations.of).toBe(ofTheContract.length);
  expect(names(readiness, "operation")).toEqual(ofTheContract.map(({ operation }) => operation));
  expect(names(readiness, "operation")).toContain("supplier.procurements.confirm");
  expect(names(readiness, "operation")).not.toContain(jobsInsert.id);
  expect(names(readiness, "error_code")).not.toContain("unauthorized");
  expect(readiness.markdown).toBeUndefined();
});

test("counts its own calls by response, acknowledged events, retries and drills", async () => {
  const site = await ownSite(service, inWorld);
  const before = await readReadiness();
  const url = await partnersReceiver(500);
  await service.control(policiesSet, { world, policies: { webhook_retries: "fast" } });
  await insertJobs(site);
  await service.call(jobsGet, { identity: { external: "none" } }, repairer, inWorld);
  // Calls with a wrong key, of the explorer or of another integration don't count.
  await service.call(
    jobsGet,
    { identity: { external: "none" } },
    { ...repairer, api_key: "sbx_00000000000000000000000000000000" },
    inWorld,
  );
  const explorer = { ...inWorld, "x-sandbox-origin": `explorer ${service.ready.control_token}` };
  await service.call(businessesList, {}, repairer, explorer);
  await service.call(businessesList, {}, supplier, inWorld);
  await delivered(2);
  const [delivery] = (await service.control(deliveriesList, { world, status: "delivered" })).items;
  for (const drill of ["duplicate", "stale"] as const)
    await service.control(deliveriesSendDrill, { world, id: delivery?.id ?? "", drill });
  const after = await readReadiness();
  expect(after.record.calls - before.record.calls).toBe(4);
  expect(after.operations.find(({ operation }) => operation === jobsInsert.id)).toMatchObject({
    origin: "contract",
    calls: 3,
    done: 2,
    refused: 1,
    last_at: expect.any(String),
  });
  expect(after.error_codes.find(({ code }) => code === "not_found")).toMatchObject({ calls: 1 });
  expect(after.events.find(({ event_type }) => event_type === "repairer.jobs")).toMatchObject({
    acknowledged: 2,
    failed: 0,
  });
  expect(after.receiver).toMatchObject({
    subscriptions: [{ url: url.replace("token=their-own-secret", "…"), paused: false }],
    first_attempt: 1,
    later_attempt: 1,
  });
  const drill = (name: string) => after.receiver.drills.find((one) => one.drill === name);
  expect(drill("duplicate")).toMatchObject({ latest: { verdict: "passed", proves: true } });
  expect(drill("stale")).toMatchObject({ latest: { verdict: "passed", proves: true } });
  expect(drill("future")).toEqual({ drill: "future", latest: null });
  expect(after.summary).toMatchObject({
    events: { met: 1, of: 2 },
    drills: { met: 2, of: drillNames.length, passed: 2 },
  });
  expect(names(after, "subscription")).toEqual([]);
  expect(names(after, "retry")).toEqual([]);
  expect(names(after, "drill")).toEqual(drillNames.filter((name) => name !== "duplicate" && name !== "stale"));
  expect(names(after, "error_code")).not.toContain("not_found");
  expect(names(after, "operation")).not.toContain(jobsInsert.id);
}, 30_000);

test("an operation is met by a successful call, not by a refused one", async () => {
  const before = await readReadiness();
  await service.call(partsList, { job_identity: { external: "no such job" } }, repairer, inWorld);
  const after = await readReadiness();
  const row = after.operations.find(({ operation }) => operation === partsList.id);
  expect(row).toMatchObject({ calls: 1, done: 0, refused: 1 });
  expect(after.summary.operations).toEqual(before.summary.operations);
  const left = after.next.find(({ name }) => name === partsList.id);
  expect(left?.do).toMatch(/None of its calls so far succeeded\.$/);
}, 10_000);

test("is available as Markdown", async () => {
  await insertJobs(await ownSite(service, inWorld));
  const integration_id = repairer.integration_id.toUpperCase();
  const { markdown, ...readiness } = await service.control(integrationsReadiness, {
    world,
    integration_id,
    format: "markdown",
  });
  expect(markdown).toContain(`\n| \`${jobsInsert.id}\` | 3 | 2 | 1 | `);
  expect(readiness).toEqual(await readReadiness());
});

test("refuses an unknown integration", async () => {
  const authorization = `Bearer ${service.ready.control_token}`;
  const ask = (body: object) => service.post(operationPath(integrationsReadiness), body, { authorization });
  expect(await ask({ integration_id: "00000000-0000-4000-8000-000000000000" })).toMatchObject({ status: 404 });
  expect(await ask({ integration_id: "x" })).toMatchObject({ status: 400 });
  expect(await ask({ integration_id: repairer.integration_id, format: "pdf" })).toMatchObject({ status: 400 });
});

test("a built-in receiver belongs to the sandbox and counts for no partner", async () => {
  const before = await readReadiness(supplier.integration_id);
  await service.control(policiesSet, { world, policies: { webhook_retries: "fast" } });
  const { integration_id } = supplier;
  const { url } = await service.control(receiversCreate, {
    world,
    integration_id,
    behaviour: { answer: "status", status: 500, first: 1, verify: true, deduplicate: true },
  });
  const shown = url.replace(`world=${world}`, "…");
  await placeOrder(service, "built-in", inWorld);
  const mine = async () =>
    (await service.control(deliveriesList, { world, integration_id, status: "delivered" })).items;
  await expect.poll(mine, { timeout: 10_000 }).toHaveLength(1);
  const [delivery] = await mine();
  await service.control(deliveriesSendDrill, { world, id: delivery?.id ?? "", drill: "duplicate" });
  const after = await readReadiness(integration_id);
  expect(after.receiver).toMatchObject({ subscriptions: [{ url: shown }], first_attempt: 0, later_attempt: 0 });
  expect(after.events).toMatchObject([{ event_type: "supplier.procurements", acknowledged: 0 }]);
  expect(after.summary.drills).toEqual(before.summary.drills);
  expect(names(after, "retry")).toEqual(["retry"]);
  expect(names(after, "drill")).toEqual([...drillNames]);
  expect(names(after, "event")).toEqual(["supplier.procurements"]);
});

test("the sandbox's own receivers count for no partner, under any address and through forwarding", async () => {
  const { integration_id } = supplier;
  const built = await service.control(receiversCreate, { world, integration_id });
  const forward = http.createServer(async (request, response) => {
    const answer = await service.raw(`/__webhooks/sink`, {
      headers: { [SIGNATURE_HEADER]: String(request.headers[SIGNATURE_HEADER]) },
      body: await textOf(request),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(answer.text);
  });
  await new Promise<void>((resolve) => forward.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void forward.close());
  const { port } = forward.address() as AddressInfo;
  const spelt = [
    `${service.baseUrl}/__webhooks/%73ink`,
    `http://localhost:${service.port}/__webhooks/sink?world=default&as=mine`,
    `http://127.1:${service.port}/%5f_webhooks/sin%6B`,
    built.url.replace("/__receiver/", "/__receive%72/"),
    `http://127.0.0.1:${port}/hook`,
  ];
  for (const url of spelt)
    expect([url, (await service.post("/__webhooks/subscribe", { integration_id, url }, inWorld)).status]).toEqual([
      url,
      200,
    ]);
  await placeOrder(service, "spelt", inWorld);
  const mine = async () =>
    (await service.control(deliveriesList, { world, integration_id, status: "delivered" })).items;
  const all = () => mine().then((items) => spelt.filter((url) => !items.some((one) => one.url === url)));
  await expect.poll(all, { timeout: 10_000 }).toEqual([]);
  for (const { id } of await mine()) await service.control(deliveriesSendDrill, { world, id, drill: "duplicate" });
  const { receiver, events, summary, next } = await readReadiness(integration_id);
  expect(receiver.subscriptions.filter(({ sandbox }) => !sandbox)).toEqual([]);
  expect([receiver.first_attempt, events[0]?.acknowledged, summary.drills.met]).toEqual([0, 0, 0]);
  expect(next).toContainEqual(expect.objectContaining({ kind: "subscription" }));
}, 30_000);

test("a wrong address of the sandbox doesn’t count as a partner’s receiver", async () => {
  const { integration_id } = supplier;
  const wrong = ["//sink", "/sink/", "/__WEBHOOKS/sink"].map((path) => `${service.baseUrl}${path}`);
  for (const url of wrong)
    expect((await service.post("/__webhooks/subscribe", { integration_id, url }, inWorld)).status).toBe(200);
  await placeOrder(service, "wrong", inWorld);
  const counted = async () => (await readReadiness(integration_id)).receiver.subscriptions;
  await expect.poll(async () => (await counted()).filter(({ sandbox }) => sandbox).length).toBe(wrong.length);
  const partners = await service.raw("/sink/", { body: "{}" });
  expect(partners.headers.get(SANDBOX_RECEIVER_HEADER)).toBeNull();
});

test("refusals prove nothing if a receiver refuses valid notifications too", async () => {
  const site = await ownSite(service, inWorld);
  await partnersReceiver(200);
  await insertJob("two", site);
  await delivered(1);
  const [acknowledged] = (await service.control(deliveriesList, { world, status: "delivered" })).items;
  await service.control(deliveriesSendDrill, { world, id: acknowledged?.id ?? "", drill: "stale" });
  const refusing = await partnersReceiver(401, 401);
  await insertJob("three", site);
  const { items } = await service.control(deliveriesList, { world, status: "pending" });
  const id = items.find(({ url }) => url === refusing)?.id ?? "";
  for (const drill of ["duplicate", "flipped_byte"] as const)
    await service.control(deliveriesSendDrill, { world, id, drill });
  const after = await readReadiness();
  const { receiver: handled, summary } = after;
  expect(names(after, "drill")).toEqual(drillNames.filter((name) => name !== "stale"));
  const latest = (name: string) => handled.drills.find(({ drill }) => drill === name)?.latest;
  expect(latest("duplicate")).toMatchObject({ verdict: "failed", proves: true });
  expect(latest("flipped_byte")).toMatchObject({ verdict: "passed", proves: false });
  expect(latest("stale")).toMatchObject({ verdict: "passed", proves: true });
  expect(summary.drills).toEqual({ met: 3, of: drillNames.length, passed: 1 });
});

test("a correct receiver doesn't make up for a failed one, whose drill remains as a next step", async () => {
  const site = await ownSite(service, inWorld);
  const drilled = async (url: string, external: string) => {
    await insertJob(external, site);
    const { items } = await service.control(deliveriesList, { world });
    const id = items.find((one) => one.url === url)?.id ?? "";
    await service.control(deliveriesSendDrill, { world, id, drill: "duplicate" });
  };
  await drilled(await partnersReceiver(401, 401), "three");
  const right = await partnersReceiver(200, 200);
  await drilled(right, "four");
  const { next, ...after } = await readReadiness();
  expect(after.receiver.drills.find(({ drill }) => drill === "duplicate")?.latest).toMatchObject({ verdict: "failed" });
  expect(next).toContainEqual({
    kind: "drill",
    name: "duplicate",
    do: expect.stringContaining("Fix the receiver at http"),
  });
  expect(after.receiver.drills.find(({ drill }) => drill === "duplicate")?.latest?.url).not.toBe(
    right.replace("token=their-own-secret", "…"),
  );
});

test("every counted call has a row: of the other side, a sandbox route, or no operation", async () => {
  const before = await readReadiness();
  await service.call(supplierProcurementsConfirm, { identity: { id: newId() } }, repairer, inWorld);
  const headers = { ...inWorld, ...credentialHeaders(repairer) };
  await service.post("/__webhooks/secret", {}, headers);
  await service.post("/api/2026-01/repairer.jobs.gett", {}, headers);
  const after = await readReadiness();
  const others = after.operations.filter(({ origin }) => origin === "other");
  expect(others.map(({ operation, calls }) => [operation, calls]).sort()).toEqual([
    ["no operation", 1],
    ["supplier.procurements.confirm", 1],
    ["webhooks.secret", 1],
  ]);
  expect(after.operations.reduce((sum, { calls }) => sum + calls, 0)).toBe(after.record.calls);
  expect(after.summary.operations).toEqual(before.summary.operations);
});
