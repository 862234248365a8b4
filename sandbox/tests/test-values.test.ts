import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { deliveriesList, eventsList, jobsList, requestsList } from "../contract/control/operations.ts";
import { clockAdvance, policiesSet } from "../contract/control/world-operations.ts";
import {
  basketsLatestGet,
  jobsDelete,
  jobsGet,
  jobsInsert,
  partsInsert,
  partsList,
  procurementsCancel,
  procurementsPlace,
  repairerProcurementsGet,
  repairerProcurementsList,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  site = await ownSite(service);
});
afterAll(() => service.end());

const inWorld = (world: string) => ({ "x-sandbox-tenant": world });

const insert = (world: string, claim_number: string, external = claim_number, more: object = {}) =>
  service.ok(
    jobsInsert,
    { identity: { external }, repairer_site_id: site, claim_number, ...more },
    repairer,
    inWorld(world),
  );

/** A job with two parts. */
const withParts = async (world: string, claim: string, parts = ["Bonnet", "Front bumper cover"]): Promise<string> => {
  const { id } = await insert(world, claim);
  const body = { job_identity: { id }, parts: parts.map((description) => ({ description })) };
  await service.ok(partsInsert, body, repairer, inWorld(world));
  return id;
};

const basket = async (world: string, id: string) =>
  (await service.ok(basketsLatestGet, { job_identity: { id } }, repairer, inWorld(world))).offers;

const place = async (world: string, id: string) => {
  const sellable_ids = (await basket(world, id)).map(({ sellable_id }) => sellable_id).slice(0, 1);
  const placed = await service.ok(procurementsPlace, { job_identity: { id }, sellable_ids }, repairer, inWorld(world));
  return placed.items[0]?.id ?? "";
};

const status = async (world: string, id: string): Promise<string> =>
  (await service.ok(repairerProcurementsGet, { identity: { id } }, repairer, inWorld(world))).status;

const get = (world: string, id: string) => service.call(jobsGet, { identity: { id } }, repairer, inWorld(world));
const newest = async (world: string) => (await service.control(requestsList, { world, limit: 1 })).items[0];
const calls = (world: string, operation: string) =>
  service.control(requestsList, { world, operation, limit: 10 }).then(({ items }) => items);

describe("D93: confirm-after and cancel-after", () => {
  test("a supplier confirms the job's orders after the duration, by the world's clock", async () => {
    const world = "confirms";
    const id = await withParts(world, "test:confirm-after=30s");
    const order = await place(world, id);
    expect(await newest(world)).toMatchObject({ test_values: [{ value: "confirm-after=30s", known: true }] });
    await service.control(clockAdvance, { world, seconds: 25 });
    expect(await status(world, order)).toBe("order_requested");
    await service.control(clockAdvance, { world, seconds: 5 });
    expect(await status(world, order)).toBe("order_confirmed");
    const [call, ...more] = await calls(world, supplierProcurementsConfirm.id);
    expect(more).toEqual([]);
    expect(call).toMatchObject({
      ...{ status: 200, origin: "counterpart", side: "supplier", procurement_id: order, events: 2 },
      test_values: [{ value: "confirm-after=30s", known: true }],
    });
    await service.control(clockAdvance, { world, seconds: 60 });
    expect(await calls(world, supplierProcurementsConfirm.id)).toHaveLength(1);
  });

  test("0s acts immediately, without moving a clock", async () => {
    const order = await place("at-once", await withParts("at-once", "test:confirm-after=0s"));
    await expect.poll(() => status("at-once", order)).toBe("order_confirmed");
  });

  test("a supplier without a key cancels too", async () => {
    const world = "cancels";
    const id = await withParts(world, "test:cancel-after=2m;offers=used");
    const order = await place(world, id);
    await service.control(clockAdvance, { world, seconds: 120 });
    expect(await status(world, order)).toBe("cancelled");
    expect(await newest(world)).toMatchObject({ operation: repairerProcurementsGet.id });
    expect((await calls(world, procurementsCancel.id))[0]).toMatchObject({ integration_id: null, side: "supplier" });
  });

  test("if someone acts first, no second call is made", async () => {
    const world = "first";
    const order = await place(world, await withParts(world, "test:confirm-after=1m;offers=one"));
    await service.ok(supplierProcurementsConfirm, { identity: { id: order } }, supplier, inWorld(world));
    await service.control(clockAdvance, { world, seconds: 60 });
    expect(await calls(world, supplierProcurementsConfirm.id)).toHaveLength(1);
  });

  test("follow a changed claim number, even for waiting orders", async () => {
    const world = "changes";
    const id = await withParts(world, "test:confirm-after=1m");
    const order = await place(world, id);
    const change = { claim_number: "test:cancel-after=2m", if_: { exists: "update" as const } };
    await service.ok(jobsInsert, { identity: { id }, repairer_site_id: site, ...change }, repairer, inWorld(world));
    await service.control(clockAdvance, { world, seconds: 60 });
    expect(await status(world, order)).toBe("order_requested");
    await service.control(clockAdvance, { world, seconds: 60 });
    expect(await status(world, order)).toBe("cancelled");
  });

  test("continue after a restart", async () => {
    const own = await startTestService();
    const before = service;
    service = own;
    onTestFinished(async () => {
      await service.end();
      service = before;
    });
    const order = await place("kept", await withParts("kept", "test:confirm-after=2s"));
    await own.stop();
    service = await startTestService(own.folder);
    await expect.poll(() => status("kept", order), { timeout: 8_000 }).toBe("order_confirmed");
    expect(await calls("kept", supplierProcurementsConfirm.id)).toHaveLength(1);
  });
});

describe("D93: offers", () => {
  test("are none, one supplier's, or used parts only", async () => {
    const [all, none, one, used] = await Promise.all(
      ["CLM-1", "test:offers=none", "test:offers=one", "test:offers=used"].map(async (claim) =>
        basket("offers", await withParts("offers", claim)),
      ),
    );
    const suppliersOf = (offers = all) => new Set(offers?.map((offer) => offer.supplier_business_id)).size;
    expect(suppliersOf()).toBeGreaterThan(1);
    expect(none).toEqual([]);
    expect(suppliersOf(one)).toBe(1);
    expect(used?.length).toBeGreaterThan(0);
    expect(new Set(used?.map(({ condition }) => condition?.type))).toEqual(new Set(["used"]));
  });

  test("outside the basket can't be ordered", async () => {
    const id = await withParts("none-ordered", "test:offers=none");
    const body = { job_identity: { id }, sellable_ids: ["00000000-0000-4000-8000-000000000000"] };
    expect((await service.call(procurementsPlace, body, repairer, inWorld("none-ordered"))).status).toBe(422);
  });
});

describe("D93: response", () => {
  test("the next call that names the job gets it, in the contract's form, and changes nothing", async () => {
    const world = "answers";
    const { id } = await insert(world, "test:answer=429");
    const answer = await get(world, id);
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({ type: "rate_limited" });
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await newest(world)).toMatchObject({
      ...{ status: 429, error_code: "rate_limited", job_id: id },
      test_values: [{ value: "answer=429", known: true }],
    });
    const { refusal, checks } = await service.control(requestsExplain, { world, id: (await newest(world))?.id ?? "" });
    expect(checks.at(-1)).toEqual({ check: "fault_after", name: "Test value", verdict: "refused" });
    expect(refusal?.sentence).toMatch(
      /has the test value `test:answer=429`, which asks for this response: 429 rate_limited\./,
    );
    // Counted as a requested response rather than a failure.
    expect((await service.control(requestsList, { world, cause: "fault" })).items).toHaveLength(1);
    expect((await get(world, id)).status).toBe(200);
    expect((await newest(world))?.test_values).toBeUndefined();
  });

  test("applies a given number of times", async () => {
    const { id } = await insert("thrice", "test:answer=503*3");
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await get("thrice", id)).status);
    expect(statuses).toEqual([503, 503, 503, 200]);
    const many = await insert("thrice", "test:answer=500*3", "many");
    const all = await Promise.all(Array.from({ length: 10 }, () => get("thrice", many.id)));
    expect(all.filter((one) => one.status === 500)).toHaveLength(3);
    expect(all.find((one) => one.status === 500)?.body).toMatchObject({ type: "internal_error" });
  });

  test("prevents a write, in the operation's own form", async () => {
    const world = "bare";
    const { id } = await insert(world, "test:answer=unprocessable*2");
    const body = { job_identity: { id }, parts: [{ description: "Bonnet" }] };
    expect(await service.call(partsInsert, body, repairer, inWorld(world))).toMatchObject({
      ...{ status: 422, body: "unprocessable" },
    });
    const { status: answered, body: typed } = await service.call(
      partsList,
      { job_identity: { id } },
      repairer,
      inWorld(world),
    );
    expect([answered, typed]).toMatchObject([422, { type: "unprocessable" }]);
    const { items } = await service.ok(partsList, { job_identity: { id } }, repairer, inWorld(world));
    expect(items).toEqual([]);
  });

  test("affects only its own job, for callers with access, and not its insert", async () => {
    const world = "own";
    const { id } = await insert(world, "test:answer=not_found");
    const other = await insert(world, "CLM-2");
    const again = { claim_number: "test:answer=not_found", if_: { exists: "update" } };
    await insert(world, "test:answer=not_found", "test:answer=not_found", again);
    expect((await get(world, other.id)).status).toBe(200);
    expect((await service.call(jobsGet, { identity: { id } }, supplier, inWorld(world))).status).toBe(403);
    expect((await get("other-world", id)).status).toBe(404);
    const answer = await get(world, id);
    expect([answer.status, answer.body]).toEqual([404, { type: "not_found" }]);
    expect((await get(world, id)).status).toBe(200);
  });

  test("starts over with another claim number", async () => {
    const { id } = await insert("anew", "test:answer=429", "e");
    expect((await get("anew", id)).status).toBe(429);
    await insert("anew", "test:answer=503", "e", { if_: { exists: "update" } });
    expect((await get("anew", id)).status).toBe(503);
    expect((await get("anew", id)).status).toBe(200);
  });
});

describe("D93: delay", () => {
  test("calls that name the job get a later response, and still run", async () => {
    const world = "delays";
    const { id } = await insert(world, "test:delay=300ms;answer=500");
    const began = performance.now();
    expect((await get(world, id)).status).toBe(500);
    expect((await get(world, id)).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(590);
    expect((await newest(world))?.test_values?.map(({ value }) => value)).toEqual(["delay=300ms"]);
    expect((await service.call(jobsDelete, { identity: { id } }, repairer, inWorld(world))).status).toBe(200);
    expect((await get(world, id)).status).toBe(404);
  });

  test("a caller that disconnects leaves a record with the cause, and nothing runs", async () => {
    const world = "gone";
    const { id } = await insert(world, "test:delay=20s");
    const abort = new AbortController();
    const call = service.call(jobsDelete, { identity: { id } }, repairer, inWorld(world), abort.signal);
    setTimeout(() => abort.abort(), 200);
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await newest(world))?.status).toBe(0);
    expect((await newest(world))?.test_values?.map(({ value }) => value)).toEqual(["delay=20s"]);
    const { items } = await service.control(jobsList, { world, ids: [id] });
    expect(items).toHaveLength(1);
  });

  test("applies to at most a hundred concurrent calls of a world, whatever another world has", async () => {
    const { id } = await insert("crowd", "test:delay=2s");
    const other = await insert("quiet", "test:delay=2s");
    await Promise.all([...Array.from({ length: 110 }, () => get("crowd", id)), get("quiet", other.id)]);
    // As the service measured it: on a busy machine even a prompt answer arrives late.
    const prompt = async (world: string) => {
      const { items } = await service.control(requestsList, { world, operation: jobsGet.id, limit: 200 });
      return items.filter(({ duration_ms }) => duration_ms < 1_900).length;
    };
    expect([await prompt("crowd"), await prompt("quiet")]).toEqual([10, 0]);
  });
});

describe("D93: webhook", () => {
  const received = async (claim: string, count: number, world = claim.replaceAll(/[^a-z]/g, "-")) => {
    const receiver = await RecordingReceiver.start();
    onTestFinished(() => receiver.stop());
    await service.post(
      "/__webhooks/subscribe",
      { integration_id: repairer.integration_id, url: receiver.url },
      inWorld(world),
    );
    const id = await withParts(world, claim);
    await place(world, id);
    await receiver.waitFor(count);
    return { receiver, world, id };
  };
  const typesOf = ({ received: all }: RecordingReceiver) =>
    all.map(({ envelope }) => ("status" in envelope.payload ? envelope.payload.status : "inserted"));

  test("duplicate: each is sent twice with the same message_id", async () => {
    const { receiver, world } = await received("test:webhook=duplicate", 4);
    const ids = receiver.received.map(({ envelope }) => envelope.message_id);
    expect([ids[0], ids[2]]).toEqual([ids[1], ids[3]]);
    expect(new Set(ids).size).toBe(2);
    expect(
      (await service.control(deliveriesList, { world })).items.filter(({ repeats_id }) => repeats_id),
    ).toHaveLength(2);
  });

  test("late: each is sent after the duration on the world's clock", async () => {
    const { receiver, world } = await received("test:webhook=late=1m", 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.received).toEqual([]);
    await service.control(clockAdvance, { world, seconds: 61 });
    await receiver.waitFor(2);
    expect(typesOf(receiver)).toEqual(["inserted", "order_requested"]);
  });

  test("out-of-order: each is sent after the next one", async () => {
    const { receiver, world, id } = await received("test:webhook=out-of-order", 2);
    expect(typesOf(receiver)).toEqual(["order_requested", "inserted"]);
    const [second, third] = [await place(world, id), await place(world, id)];
    await receiver.waitFor(4);
    const announced = receiver.received.slice(2).map(({ envelope }) => envelope.payload);
    expect(announced).toMatchObject([{ procurement_id: third }, { procurement_id: second }]);
  });

  test("none: the event is recorded and no one is notified", async () => {
    const { receiver, world } = await received("test:webhook=none", 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(receiver.received).toEqual([]);
    const { items } = await service.control(eventsList, { world });
    expect(items.filter(({ deliveries }) => deliveries === 0).length).toBeGreaterThan(1);
  });
});

describe("D93: the record", () => {
  test("suggests names for an unknown value, and the claim number stays as sent", async () => {
    const claim = "test:confrm-after=30s";
    expect((await insert("noted", claim)).claim_number).toBe(claim);
    const call = await newest("noted");
    expect(call?.test_values).toEqual([
      { value: "confrm-after=30s", known: false, sentence: expect.stringContaining("Did you mean confirm-after or") },
    ]);
    await insert("noted", "CLM-7");
    expect((await newest("noted"))?.test_values).toBeUndefined();
  });

  test("has no test values while the world's setting is off", async () => {
    const world = "off";
    await service.control(policiesSet, { world, policies: { test_values: "off" } });
    const { id } = await insert(world, "test:answer=429;offers=none");
    expect((await newest(world))?.test_values).toBeUndefined();
    expect((await get(world, id)).status).toBe(200);
    const orders = await service.ok(repairerProcurementsList, { job_identity: { id } }, repairer, inWorld(world));
    expect(orders.items).toEqual([]);
    await service.control(policiesSet, { world, policies: { test_values: "on" } });
    expect((await get(world, id)).status).toBe(429);
  });

  test("a value in another field has no effect", async () => {
    const { id } = await insert("field", "CLM-1", "test:answer=429", { job_number: "test:answer=429" });
    expect((await newest("field"))?.test_values).toEqual([
      {
        value: "test:answer=429",
        known: false,
        sentence: "A test value counts only in claim_number, so this one in identity has no effect.",
      },
    ]);
    expect((await get("field", id)).status).toBe(200);
    const parts = [{ description: "Bonnet", note: "test:delay=5s" }, { description: "test:of the paint" }];
    await service.ok(partsInsert, { job_identity: { id }, parts }, repairer, inWorld("field"));
    expect((await newest("field"))?.test_values).toMatchObject([
      { value: "test:delay=5s", sentence: expect.stringContaining("in note has no effect") },
    ]);
    const long = `test:delay=5s;delay=6s;${"x".repeat(300)}`;
    const vehicle = { chassis_number: "test:offers=none", plate_number: null, plate_state: null };
    await insert("field", "CLM-2", long, { vehicle });
    expect((await newest("field"))?.test_values).toMatchObject([
      { value: long.slice(0, 200) },
      { value: "test:offers=none", sentence: expect.stringContaining("in vehicle has no effect") },
    ]);
  });
});
