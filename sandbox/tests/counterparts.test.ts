import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type CounterpartRule,
  counterpartsClear,
  counterpartsDue,
  counterpartsList,
  counterpartsNow,
  counterpartsSet,
} from "../contract/control/counterpart-operations.ts";
import { deliveriesList, organizationsList, procurementsList, requestsList } from "../contract/control/operations.ts";
import { snapshotsRestore, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { clockAdvance, policiesSet } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import {
  jobsGet,
  jobsInsert,
  procurementsCancel,
  procurementsPlace,
  repairerProcurementsGet,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { placeOrder } from "../testing/order.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
const ids = new Map<string, string>();
beforeAll(async () => {
  service = await startTestService();
  for (const { name, id } of (await service.control(organizationsList, {})).items) ids.set(name, id);
});
afterAll(() => service.end());

const idOf = (name: string): string => ids.get(name) ?? "";
const meridian = () => idOf("Meridian Genuine Parts");
const tarn = () => idOf("Tarn & Rowe Collision");
const inWorld = (world: string) => ({ "x-sandbox-tenant": world });
const set = (world: string, ...rules: CounterpartRule[]) => service.control(counterpartsSet, { world, rules });
const due = (world: string) => service.control(counterpartsDue, { world });
const advance = (world: string, seconds: number) => service.control(clockAdvance, { world, seconds });
const status = async (world: string, id: string): Promise<string> =>
  (await service.ok(repairerProcurementsGet, { identity: { id } }, repairer, inWorld(world))).status;
const made = async (world: string, operation: string) => {
  const { items } = await service.control(requestsList, { world, operation, origin: "counterpart", limit: 500 });
  return items;
};

describe("D92: a supplier", () => {
  test("confirms its orders after a delay, as a recorded call with events", async () => {
    const world = "confirms";
    const receiver = await RecordingReceiver.start();
    onTestFinished(() => receiver.stop());
    const subscription = { integration_id: supplier.integration_id, url: receiver.url };
    expect((await service.post("/__webhooks/subscribe", subscription, inWorld(world))).status).toBe(200);
    const { items } = await set(world, { organization_id: meridian(), does: "confirm", after_seconds: 300 });
    expect(items).toMatchObject([
      { sentence: "Meridian Genuine Parts confirms its orders 5 min after they were placed." },
    ]);
    const { id } = await placeOrder(service, "one", inWorld(world));
    const next = (await due(world)).items.find(({ procurement_id }) => procurement_id === id);
    expect(next).toMatchObject({ does: "confirm", rule_id: items[0]?.id, organization: { id: meridian() } });
    await advance(world, 280);
    expect(await status(world, id)).toBe("order_requested");
    await advance(world, 20);
    expect(await status(world, id)).toBe("order_confirmed");
    const call = (await made(world, supplierProcurementsConfirm.id)).find(
      ({ procurement_id }) => procurement_id === id,
    );
    const counterpart = "Meridian Genuine Parts";
    expect(call).toMatchObject({ status: 200, origin: "counterpart", counterpart, events: 2, side: "supplier" });
    await receiver.waitFor(2);
    const { ended, rules } = await due(world);
    expect(ended[0]).toMatchObject({ outcome: "done", sentence: "Confirmed.", trace_id: call?.id });
    expect(rules[0]?.done).toBeGreaterThan(0);
    const sent = await service.control(deliveriesList, { world });
    expect(sent.items.some(({ trace_id }) => trace_id === call?.id)).toBe(true);
  });

  test("also responds to orders that waited when the rule was set", async () => {
    const world = "waiting";
    const { id } = await placeOrder(service, "one", inWorld(world));
    await set(world, { organization_id: meridian(), does: "cancel", after_seconds: 60 });
    await advance(world, 60);
    expect(await status(world, id)).toBe("cancelled");
  });

  test("shows its next act behind a hundred of others", async () => {
    const world = "busy";
    const { id, job_id } = await placeOrder(service, "one", inWorld(world));
    const { offered_items } = await service.ok(repairerProcurementsGet, { identity: { id } }, repairer, inWorld(world));
    const sellable_ids = offered_items.flatMap(({ supplied_offer }) => supplied_offer.inventory?.sellable_id ?? []);
    const again = { job_identity: { id: job_id }, sellable_ids };
    for (let placed = 0; placed < 100; placed += 1)
      await service.ok(procurementsPlace, again, repairer, inWorld(world));
    const halfmoon = idOf("Halfmoon Dismantlers");
    await set(
      world,
      { organization_id: meridian(), does: "confirm", after_seconds: 600 },
      { organization_id: tarn(), does: "order", supplier_id: halfmoon, every_seconds: 1_200 },
    );
    const { items, total } = await due(world);
    expect(total).toBeGreaterThan(101);
    expect(items.map(({ organization }) => organization.id)).toEqual([...Array(100).fill(meridian()), tarn()]);
    expect(items.at(-1)).toMatchObject({ does: "order" });
  });

  test("is unaffected by rules of others", async () => {
    const world = "kept-rule";
    const rule = { organization_id: meridian(), does: "confirm" as const, after_seconds: 60 };
    await set(world, rule);
    const { id } = await placeOrder(service, "one", inWorld(world));
    await advance(world, 40);
    await set(world, { organization_id: idOf("Corran Aftermarket"), does: "never" }, rule);
    await advance(world, 20);
    expect(await status(world, id)).toBe("order_confirmed");
  });

  test("follows its first rule, and leaves orders waiting if that never responds", async () => {
    const world = "never";
    await set(
      world,
      { organization_id: meridian(), does: "never" },
      { organization_id: meridian(), does: "confirm", after_seconds: 0 },
    );
    const { id } = await placeOrder(service, "one", inWorld(world));
    await advance(world, 3_600);
    expect(await status(world, id)).toBe("order_requested");
    expect((await due(world)).total).toBe(0);
  });

  test("stops when all are turned off, and keeps its rule until they are turned on", async () => {
    const world = "all-off";
    const rules: CounterpartRule[] = [
      { organization_id: meridian(), does: "confirm", after_seconds: 60 },
      { organization_id: tarn(), does: "order", supplier_id: meridian(), every_seconds: 300, up_to: 2 },
    ];
    const { items: before } = await set(world, ...rules);
    await advance(world, 300);
    const { items } = await service.control(counterpartsSet, { world, rules, on: false });
    expect(items).toMatchObject(before.map(({ id }) => ({ id, off: { with_all: true, trace_id: null } })));
    expect(items[1]?.done).toBe(1);
    const { id } = await placeOrder(service, "off", inWorld(world));
    expect((await due(world)).total).toBe(0);
    await advance(world, 3_600);
    expect(await status(world, id)).toBe("order_requested");
    expect(await set(world, ...rules)).toMatchObject({ items: [{ off: null }, { off: null, done: 1 }] });
    await advance(world, 60);
    expect(await status(world, id)).toBe("order_confirmed");
    await advance(world, 3_600);
    expect((await due(world)).rules[1]?.done).toBe(2);
  });

  test("is skipped if someone else acted first, with a sentence", async () => {
    const world = "skipped";
    await set(world, { organization_id: meridian(), does: "confirm", after_seconds: 600 });
    const { id } = await placeOrder(service, "one", inWorld(world));
    await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, inWorld(world));
    await advance(world, 600);
    const { ended } = await due(world);
    expect(ended.find(({ procurement_id }) => procurement_id === id)).toMatchObject({
      ...{ outcome: "skipped", sentence: "The order was already confirmed.", trace_id: null },
    });
    const calls = (await made(world, supplierProcurementsConfirm.id)).filter(
      ({ procurement_id }) => procurement_id === id,
    );
    expect(calls).toEqual([]);
  });

  test("stops when the rules are cleared", async () => {
    const world = "cleared";
    await set(world, { organization_id: meridian(), does: "confirm", after_seconds: 60 });
    const { id } = await placeOrder(service, "one", inWorld(world));
    expect(await service.control(counterpartsClear, { world })).toEqual({ cleared: 1 });
    expect(await service.control(counterpartsList, { world })).toEqual({ items: [] });
    await advance(world, 3_600);
    expect(await status(world, id)).toBe("order_requested");
  });

  test("acts immediately on request", async () => {
    const world = "now";
    await set(world, { organization_id: meridian(), does: "confirm", after_seconds: 86_400 });
    const { id } = await placeOrder(service, "one", inWorld(world));
    const done = await service.control(counterpartsNow, { world, procurement_id: id });
    expect(done).toMatchObject({ outcome: "done", sentence: "Confirmed." });
    expect(await status(world, id)).toBe("order_confirmed");
  });

  test("is overridden by a test value of the job", async () => {
    const world = "value";
    await set(world, { organization_id: meridian(), does: "confirm", after_seconds: 0 });
    const { id, job_id } = await placeOrder(service, "one", inWorld(world), "test:cancel-after=1m");
    expect(job_id).not.toBe("");
    await advance(world, 60);
    expect(await status(world, id)).toBe("cancelled");
  });

  test("takes over when test values are turned off, and starts over when a job loses its test value", async () => {
    const world = "takes-over";
    await set(world, { organization_id: meridian(), does: "confirm", after_seconds: 1_800 });
    const off = await placeOrder(service, "one", inWorld(world), "test:cancel-after=1h");
    await service.control(policiesSet, { world, policies: { test_values: "off" } });
    await advance(world, 3_600);
    expect(await status(world, off.id)).toBe("order_requested");
    await advance(world, 1_800);
    expect(await status(world, off.id)).toBe("order_confirmed");

    await service.control(policiesSet, { world, policies: { test_values: "on" } });
    const plain = await placeOrder(service, "two", inWorld(world), "test:cancel-after=30d");
    await advance(world, 3_600);
    const job = { identity: { id: plain.job_id }, claim_number: "A-1", if_: { exists: "update" as const } };
    const { repairer_site_id } = await service.ok(jobsGet, { identity: job.identity }, repairer, inWorld(world));
    await service.ok(jobsInsert, { ...job, repairer_site_id }, repairer, inWorld(world));
    await advance(world, 1_799);
    expect(await status(world, plain.id)).toBe("order_requested");
    await advance(world, 1);
    expect(await status(world, plain.id)).toBe("order_confirmed");
  });
});

describe("D92: a buyer", () => {
  test("regularly inserts a job with parts and orders from its supplier, up to a number", async () => {
    const world = "orders";
    await set(world, {
      ...{ organization_id: tarn(), does: "order", supplier_id: meridian(), every_seconds: 60, up_to: 3 },
    });
    await advance(world, 59);
    expect(await made(world, procurementsPlace.id)).toEqual([]);
    await advance(world, 600);
    const placed = await made(world, procurementsPlace.id);
    expect(placed).toHaveLength(3);
    expect(new Set(placed.map(({ status }) => status))).toEqual(new Set([200]));
    const { items } = await service.control(procurementsList, { world });
    const own = items.filter(({ id }) => placed.some(({ procurement_id }) => procurement_id === id));
    expect(own.map(({ supplier: { name } }) => name)).toEqual(Array(3).fill("Meridian Genuine Parts"));
    const { rules, total, ended } = await due(world);
    expect([rules[0]?.done, rules[0]?.finished, total]).toEqual([3, true, 0]);
    expect(ended.map(({ outcome }) => outcome)).toEqual(["done", "done", "done"]);
    expect(new Set(ended.map(({ procurement_id }) => procurement_id))).toEqual(new Set(own.map(({ id }) => id)));
    expect(new Set(ended.map(({ label }) => label))).toEqual(new Set(own.map(({ reference }) => reference)));
  });

  test("and suppliers act in the order their acts fell due, in one move of the clock", async () => {
    const world = "in-order";
    const { id } = await placeOrder(service, "one", inWorld(world));
    await set(
      world,
      { organization_id: meridian(), does: "confirm", after_seconds: 150 },
      {
        organization_id: tarn(),
        does: "order",
        supplier_id: idOf("Halfmoon Dismantlers"),
        every_seconds: 60,
        up_to: 3,
      },
    );
    await advance(world, 600);
    const { items } = await service.control(requestsList, { world, origin: "counterpart" });
    const acts = items.flatMap(({ operation }) =>
      operation === procurementsPlace.id ? "order" : operation === supplierProcurementsConfirm.id ? "confirm" : [],
    );
    const turns = acts.toReversed().filter((act, index, all) => act !== "confirm" || all[index - 1] !== act);
    expect(turns).toEqual(["order", "order", "confirm", "order"]);
    expect(await status(world, id)).toBe("order_confirmed");
  });

  test("and a supplier act for both sides", async () => {
    const world = "both";
    await set(
      world,
      { organization_id: tarn(), does: "order", supplier_id: idOf("Halfmoon Dismantlers"), every_seconds: 5, up_to: 2 },
      { organization_id: idOf("Halfmoon Dismantlers"), does: "cancel", after_seconds: 10 },
    );
    await advance(world, 60);
    // The delay counts from the buyer's act, which places the order.
    await advance(world, 10);
    const placed = (await made(world, procurementsPlace.id)).flatMap(({ procurement_id }) => procurement_id ?? []);
    const cancelled = (await made(world, procurementsCancel.id)).flatMap(({ procurement_id }) => procurement_id ?? []);
    expect(placed.length).toBeGreaterThan(0);
    expect(cancelled).toEqual(expect.arrayContaining(placed));
  });
});

describe("D92: an invalid rule", () => {
  test.each([
    [
      "an unknown organization",
      { organization_id: "00000000-0000-4000-8000-000000000000", does: "confirm" },
      "/rules/0/organization_id",
    ],
    ["a time out of range", { does: "confirm", after_seconds: 2_592_001 }, "/rules/0/after_seconds"],
    ["a negative time", { does: "confirm", after_seconds: -1 }, "/rules/0/after_seconds"],
    ["a buyer that confirms", { does: "confirm", organization_id: "buyer" }, "/rules/0/organization_id"],
    ["a buyer without a supplier", { does: "order", organization_id: "buyer" }, "/rules/0/supplier_id"],
    ["too often", { does: "order", organization_id: "buyer", every_seconds: 4 }, "/rules/0/every_seconds"],
    ["a field of another behaviour", { does: "never", after_seconds: 1 }, "/rules/0/after_seconds"],
    ["an unknown behaviour", { does: "think" }, "/rules/0/does"],
    ["an unknown member", { does: "never", soon: true }, "/rules/0/soon"],
  ])("%s gets 400 with the field, and changes nothing", async (_, rule, field) => {
    const world = "refused";
    await set(world, { organization_id: meridian(), does: "never" });
    const id = "organization_id" in rule ? rule.organization_id : meridian();
    const body = { world, rules: [{ ...rule, organization_id: id === "buyer" ? tarn() : id }] };
    const token = { authorization: `Bearer ${service.ready.control_token}` };
    const answer = await service.post<{ message: string }>(operationPath(counterpartsSet), body, token);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(field)]);
    expect((await service.control(counterpartsList, { world })).items).toMatchObject([{ does: "never" }]);
  });
});

describe("D92: pending acts", () => {
  test("are part of a snapshot", async () => {
    const world = "kept";
    await set(world, { organization_id: meridian(), does: "confirm", after_seconds: 60 });
    const { id } = await placeOrder(service, "one", inWorld(world));
    await service.control(snapshotsSave, { world, name: "before" });
    await advance(world, 60);
    expect(await status(world, id)).toBe("order_confirmed");
    await service.control(snapshotsRestore, { world, name: "before" });
    expect(await status(world, id)).toBe("order_requested");
    await advance(world, 60);
    expect(await status(world, id)).toBe("order_confirmed");
  });
});
