import { afterAll, beforeAll, expect, test } from "vitest";
import { deliveriesList } from "../contract/control/operations.ts";
import { integrationsReadiness, type Readiness } from "../contract/control/readiness-operations.ts";
import { deliveriesSendDrill, receiversCreate } from "../contract/control/receiver-operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import { drillNames } from "../contract/drill-names.ts";
import { pathOf } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { siteOf } from "../testing/order.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  site = await siteOf(service);
});
afterAll(() => service.end());

const of = (integration_id = repairer.integration_id): Promise<Readiness> =>
  service.control(integrationsReadiness, { integration_id });
const names = ({ next }: Readiness, kind: string) => next.flatMap((one) => (one.kind === kind ? one.name : []));
const delivered = async (count: number): Promise<void> => {
  for (const end = Date.now() + 10_000; ; ) {
    const { items } = await service.control(deliveriesList, { status: "delivered" });
    if (items.length >= count) return;
    if (Date.now() > end) throw new Error(`${items.length} were delivered`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

test("an integration that did nothing has met nothing, and is told what to do about each", async () => {
  const readiness = await of(supplier.integration_id);
  expect(readiness).toMatchObject({
    scope: "supplier",
    preloaded: true,
    record: { since: null, calls: 0, calls_is_minimum: false, deliveries: 0 },
    summary: {
      operations: { met: 0 },
      error_codes: { met: 0 },
      events: { met: 0, of: 1 },
      drills: { met: 0, of: 9, passed: 0 },
    },
  });
  expect(names(readiness, "subscription")).toEqual(["webhooks.subscribe"]);
  expect(names(readiness, "event")).toEqual(["supplier.procurements"]);
  expect(names(readiness, "drill")).toEqual([...drillNames]);
  const ofTheContract = readiness.operations.filter(({ origin }) => origin === "contract");
  expect(readiness.summary.operations.of).toBe(ofTheContract.length);
  expect(readiness.summary.extensions).toEqual({ met: 0, of: readiness.operations.length - ofTheContract.length });
  expect(names(readiness, "operation")).toEqual(ofTheContract.map(({ operation }) => operation));
  expect(names(readiness, "operation")).toContain("supplier.procurements.confirm");
  expect(names(readiness, "operation")).not.toContain(jobsInsert.id);
  expect(names(readiness, "error_code")).not.toContain("unauthorized");
  expect(readiness.markdown).toBeUndefined();
});

test("counts its own calls by what they were answered, its acknowledged events, retries and drills", async () => {
  const before = await of();
  const receiver = await service.control(receiversCreate, {
    integration_id: repairer.integration_id,
    behaviour: { answer: "status", status: 500, first: 1, verify: true, deduplicate: true },
  });
  await service.control(policiesSet, { policies: { webhook_retries: "fast" } });
  await service.ok(jobsInsert, { identity: { external: "one" }, repairer_site_id: site }, repairer);
  await service.ok(jobsInsert, { identity: { external: "two" }, repairer_site_id: site }, repairer);
  await service.call(jobsInsert, { identity: { external: "one" }, repairer_site_id: site }, repairer);
  await service.call(jobsGet, { identity: { external: "none" } }, repairer);
  // Neither a wrong key, nor the explorer, nor another integration is this one.
  await service.call(
    jobsGet,
    { identity: { external: "none" } },
    { ...repairer, api_key: "sbx_00000000000000000000000000000000" },
  );
  const explorer = { "x-sandbox-origin": `explorer ${service.ready.control_token}` };
  await service.call(businessesList, {}, repairer, explorer);
  await service.call(businessesList, {}, supplier);
  await delivered(2);
  const [delivery] = (await service.control(deliveriesList, { status: "delivered" })).items;
  for (const drill of ["duplicate", "stale"] as const)
    await service.control(deliveriesSendDrill, { id: delivery?.id ?? "", drill });
  const after = await of();
  expect(after.record.calls - before.record.calls).toBe(4);
  expect(after.operations.find(({ operation }) => operation === jobsInsert.id)).toMatchObject({
    origin: "contract",
    path: pathOf(jobsInsert),
    calls: 3,
    done: 2,
    refused: 1,
    error_codes: [{ code: "unprocessable", calls: 1 }],
    first_at: expect.any(String),
  });
  expect(after.error_codes.find(({ code }) => code === "not_found")).toMatchObject({ calls: 1 });
  expect(after.events.find(({ event_type }) => event_type === "repairer.jobs")).toMatchObject({
    delivered: 2,
    acknowledged: 0,
    failed: 0,
  });
  expect(after.receiver).toMatchObject({
    subscriptions: [{ url: receiver.url, paused: false }],
    first_attempt: 1,
    later_attempt: 1,
    given_up: 0,
  });
  const drill = (name: string) => after.receiver.drills.find((one) => one.drill === name);
  expect(drill("duplicate")).toMatchObject({ passed: 1, failed: 0, latest: { verdict: "passed" } });
  expect(drill("stale")).toMatchObject({ passed: 1, failed: 0 });
  expect(drill("future")).toMatchObject({ passed: 0, failed: 0, latest: null });
  expect(after.summary).toMatchObject({ events: { met: 0, of: 2 }, drills: { met: 2, of: 9, passed: 2 } });
  // A built-in receiver is the sandbox's, not the partner's.
  expect(after.next.find(({ name }) => name === "repairer.jobs")?.do).toContain("the sandbox's own receiver only");
  expect(names(after, "subscription")).toEqual([]);
  expect(names(after, "retry")).toEqual([]);
  expect(names(after, "drill")).toEqual(drillNames.filter((name) => name !== "duplicate" && name !== "stale"));
  expect(names(after, "error_code")).not.toContain("not_found");
  expect(names(after, "operation")).not.toContain(jobsInsert.id);
}, 30_000);

test("is handed on as Markdown", async () => {
  const integration_id = repairer.integration_id.toUpperCase();
  const { markdown, ...readiness } = await service.control(integrationsReadiness, {
    integration_id,
    format: "markdown",
  });
  expect(markdown).toContain(`\n| \`${jobsInsert.id}\` | 3 | 2 | 1 | `);
  expect(readiness).toEqual(await of());
});

test("refuses an integration that is none", async () => {
  const authorization = `Bearer ${service.ready.control_token}`;
  const ask = (body: object) => service.post(pathOf(integrationsReadiness), body, { authorization });
  expect(await ask({ integration_id: "00000000-0000-4000-8000-000000000000" })).toMatchObject({ status: 404 });
  expect(await ask({ integration_id: "x" })).toMatchObject({ status: 400 });
  expect(await ask({ integration_id: repairer.integration_id, format: "pdf" })).toMatchObject({ status: 400 });
});

test("that a receiver refuses what is wrong proves nothing where it refuses what is right too", async () => {
  const receiver = await service.control(receiversCreate, {
    integration_id: repairer.integration_id,
    behaviour: { answer: "status", status: 401, first: null, verify: false, deduplicate: false },
  });
  await service.ok(jobsInsert, { identity: { external: "three" }, repairer_site_id: site }, repairer);
  const { items } = await service.control(deliveriesList, { status: "pending" });
  const id = items.find(({ url }) => url === receiver.url)?.id ?? "";
  for (const drill of ["duplicate", "flipped_byte"] as const) await service.control(deliveriesSendDrill, { id, drill });
  const { receiver: handled, summary } = await of();
  const latest = (name: string) => handled.drills.find(({ drill }) => drill === name)?.latest;
  expect(latest("duplicate")).toMatchObject({ verdict: "failed", proves: true });
  expect(latest("flipped_byte")).toMatchObject({ verdict: "passed", proves: false });
  expect(latest("stale")).toMatchObject({ verdict: "passed", proves: true });
  expect(summary.drills).toEqual({ met: 3, of: 9, passed: 1 });
});
