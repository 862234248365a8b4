import { afterAll, beforeAll, expect, test } from "vitest";
import { counterpartsSet } from "../contract/control/counterpart-operations.ts";
import { organizationsList, requestsList } from "../contract/control/operations.ts";
import { scenariosRecord } from "../contract/control/scenario-operations.ts";
import { clockAdvance, worldsBranch } from "../contract/control/world-operations.ts";
import {
  basketsLatestGet,
  jobsGet,
  jobsInsert,
  partsInsert,
  procurementsPlace,
  repairerProcurementsGet,
} from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { runRecording } from "../testing/run-recorded.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const inWorld = (world: string) => ({ "x-sandbox-tenant": world });

/** A job and an order from a supplier without a key, which responds automatically. */
const answered = async (world: string, claim_number: string | null) => {
  const headers = inWorld(world);
  const repairer_site_id = await ownSite(service, headers);
  const job = { identity: { external: "repeated" }, repairer_site_id, claim_number };
  const { id: job_id } = await service.ok(jobsInsert, job, repairer, headers);
  const job_identity = { id: job_id };
  const parts = ["Bonnet", "Front bumper cover", "Alternator"].map((description) => ({ description }));
  await service.ok(partsInsert, { job_identity, parts }, repairer, headers);
  const { offers, suppliers } = await service.ok(basketsLatestGet, { job_identity }, repairer, headers);
  const halfmoon = suppliers.find(({ name }) => name === "Halfmoon Dismantlers")?.business_id;
  const sellable_ids = offers.filter((one) => one.supplier_business_id === halfmoon).map((one) => one.sellable_id);
  const { items } = await service.ok(procurementsPlace, { job_identity, sellable_ids }, repairer, headers);
  const id = items[0]?.id ?? "";
  await service.control(clockAdvance, { world, seconds: 30 });
  const read = await service.ok(repairerProcurementsGet, { identity: { id } }, repairer, headers);
  return { job_id, id, status: read.status };
};

test("D93: a test value's supplier response replays from a recording without its key", async () => {
  const { status } = await answered("recorded", "test:cancel-after=30s;offers=used");
  expect(status).toBe("cancelled");
  const { scenario } = await service.control(scenariosRecord, { world: "recorded", since: "reset" });
  expect(scenario.steps.filter(({ control }) => control?.operation === "counterparts.now")).toHaveLength(1);
  expect(await runRecording(service, scenario)).toEqual([]);
});

test("D92: a rule's supplier response replays from a recording and in a branch from a later call", async () => {
  const world = "by-rule";
  const { items } = await service.control(organizationsList, {});
  const organization_id = items.find(({ name }) => name === "Halfmoon Dismantlers")?.id ?? "";
  const rule = { organization_id, does: "confirm" as const, after_seconds: 30 };
  await service.ok(
    jobsInsert,
    { identity: { external: "first" }, repairer_site_id: await ownSite(service, inWorld(world)) },
    repairer,
    inWorld(world),
  );
  await service.control(counterpartsSet, { world, rules: [rule] });
  const { id, job_id, status } = await answered(world, "test:offers=used");
  expect(status).toBe("order_confirmed");
  await service.ok(jobsGet, { identity: { id: job_id } }, repairer, inWorld(world));
  const { scenario } = await service.control(scenariosRecord, { world, since: "reset" });
  expect(await runRecording(service, scenario)).toEqual([]);
  const [last] = (await service.control(requestsList, { world, limit: 1 })).items;
  await service.control(worldsBranch, { world, request_id: last?.id ?? "", to: "branched" });
  const there = await service.ok(repairerProcurementsGet, { identity: { id } }, repairer, inWorld("branched"));
  expect(there.status).toBe("order_confirmed");
});

test("D92: a buyer's automatic orders are repeated once, as its calls", async () => {
  const world = "bought";
  const { items } = await service.control(organizationsList, {});
  const idOf = (name: string): string => items.find((one) => one.name === name)?.id ?? "";
  const [organization_id, supplier_id] = [idOf("Tarn & Rowe Collision"), idOf("Meridian Genuine Parts")];
  await service.control(counterpartsSet, {
    ...{ world, rules: [{ organization_id, does: "order", supplier_id, every_seconds: 60, up_to: 2 }] },
  });
  await service.control(clockAdvance, { world, seconds: 60 });
  await service.control(clockAdvance, { world, seconds: 60 });
  const { scenario } = await service.control(scenariosRecord, { world, since: "reset" });
  expect(scenario.steps.filter(({ call }) => call?.operation === procurementsPlace.id)).toHaveLength(2);
  expect(await runRecording(service, scenario)).toEqual([]);
});
