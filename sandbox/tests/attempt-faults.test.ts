import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { faultsClear, faultsFirings, faultsList, faultsSet } from "../contract/control/fault-operations.ts";
import { deliveriesGet, deliveriesList, tracesGet } from "../contract/control/operations.ts";
import { readyMadeFaults } from "../contract/control/ready-made-faults.ts";
import { snapshotsExport, snapshotsImport, snapshotsRestore } from "../contract/control/snapshot-operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import type { RequestOf } from "../contract/operation.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { placeOrder, siteOf } from "../testing/order.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
let receiver: RecordingReceiver;
let site = "";
const { integration_id } = repairer;

const subscribe = async (to: TestService, id = integration_id): Promise<void> => {
  expect((await to.post("/__webhooks/subscribe", { integration_id: id, url: receiver.url })).status).toBe(200);
};
beforeAll(async () => {
  receiver = await RecordingReceiver.start();
  service = await startTestService();
  await service.control(policiesSet, { policies: { webhook_retries: "fast" } });
  site = await siteOf(service);
  await subscribe(service);
});
afterAll(async () => {
  await service.end();
  await receiver.stop();
});
afterEach(async () => {
  await service.control(faultsClear, {});
  receiver.received.length = 0;
});

type Asked = RequestOf<typeof faultsSet>;
const arm = (asked: Omit<Asked, "about">, at = service) => at.control(faultsSet, { about: "attempts", ...asked });
let jobs = 0;
/** Makes one event of the repairer. @returns its trace */
const makeEvent = async (at = service): Promise<string> => {
  jobs += 1;
  const body = { identity: { external: `attempt-${jobs}` }, repairer_site_id: site };
  const answer = await at.call(jobsInsert, body, repairer);
  expect(answer.status).toBe(200);
  return answer.headers.get("x-request-id") ?? "";
};
const deliveryOf = async (trace: string, at = service) => {
  const { deliveries } = await at.control(tracesGet, { id: trace });
  return at.control(deliveriesGet, { id: deliveries[0]?.id ?? "" });
};
const delivered = async (trace: string, at = service) => {
  await expect.poll(async () => (await deliveryOf(trace, at)).status, { timeout: 8_000 }).toBe("delivered");
  return deliveryOf(trace, at);
};
const textOf = (base64: string | undefined): string => Buffer.from(base64 ?? "", "base64").toString();

describe("a fault that an attempt meets", () => {
  test("drops it: nothing is sent, the attempt says so, and the schedule goes on until the receiver has it", async () => {
    const fault = await arm({ effect: { drop: {} }, calls: { first: 2 } });
    const delivery = await delivered(await makeEvent());
    const mark = { id: fault.id, kind: "drop", when: "before" };
    expect(delivery.attempts.map(({ response_status, error, faults }) => [response_status, error, faults])).toEqual([
      [null, "a fault met it: not sent, the connection was closed", [mark]],
      [null, "a fault met it: not sent, the connection was closed", [mark]],
      [200, null, undefined],
    ]);
    expect(receiver.received.map(({ envelope }) => envelope.message_id)).toEqual([delivery.message_id]);
    const waits = delivery.attempts.map(({ started_at }) => Date.parse(started_at));
    expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThanOrEqual(180);
    expect((waits[2] ?? 0) - (waits[1] ?? 0)).toBeGreaterThanOrEqual(450);
  });

  test("loses the receiver's answer: it was sent, and is sent again", async () => {
    await arm({ effect: { drop: { when: "after" } }, uses: 1 });
    const delivery = await delivered(await makeEvent());
    expect(delivery.attempts[0]).toMatchObject({
      response_status: null,
      response_headers: [],
      error: "a fault met it: sent, and the receiver's answer was lost",
      faults: [{ kind: "drop", when: "after" }],
    });
    expect(receiver.received.map(({ envelope }) => envelope.message_id)).toEqual([
      delivery.message_id,
      delivery.message_id,
    ]);
  });

  test("counts as a status the receiver never said, whether it was sent or not", async () => {
    await arm({ effect: { error: { status: 503, body: { busy: true } } }, calls: { nth: 1 } });
    await arm({ effect: { error: { status: 410, when: "after" } }, calls: { nth: 2 } });
    const { attempts } = await delivered(await makeEvent());
    expect(
      attempts.map(({ response_status, response_headers, error }) => [response_status, response_headers, error]),
    ).toMatchObject([
      [
        503,
        [["content-type", "application/json"]],
        "a fault met it: not sent, counted as answered 503 with a body of its own",
      ],
      [410, [], "a fault met it: sent, but counted as answered 410"],
      [200, expect.anything(), null],
    ]);
    expect([textOf(attempts[0]?.response_body_base64), textOf(attempts[1]?.response_body_base64)]).toEqual([
      '{"busy":true}',
      "",
    ]);
    expect(receiver.received).toHaveLength(2);
  });

  test("delays it: it is stamped and sent later, what comes after it waits with it, and other receivers do not", async () => {
    const other = await RecordingReceiver.start();
    onTestFinished(() => other.stop());
    await service.post("/__webhooks/subscribe", { integration_id: supplier.integration_id, url: other.url });
    await arm({ effect: { delay: { ms: 700 } }, calls: { nth: 1 }, integration_id });
    const began = Date.now();
    const first = await makeEvent();
    const second = await makeEvent();
    await placeOrder(service, "not held");
    await other.waitFor(1);
    expect(receiver.received).toEqual([]);
    const [held, next] = await receiver.waitFor(2);
    expect((held?.at ?? 0) - began).toBeGreaterThanOrEqual(699);
    expect(Date.parse(held?.envelope.webhook_timestamp ?? "") - began).toBeGreaterThanOrEqual(699);
    expect([held?.envelope.message_id, next?.envelope.message_id]).toEqual([
      (await delivered(first)).message_id,
      (await delivered(second)).message_id,
    ]);
    expect((await deliveryOf(first)).attempts).toMatchObject([{ error: null, faults: [{ kind: "delay" }] }]);
  });

  test("is about one type of event and one integration, by their number or by lot", async () => {
    await arm({ effect: { drop: {} }, event_type: "repairer.procurements" });
    await arm({ effect: { drop: {} }, integration_id: supplier.integration_id });
    const lots = await arm({ effect: { error: { status: 500 } }, calls: { probability: 0.2, seed: 7 } });
    for (let count = 0; count < 12; count += 1) await delivered(await makeEvent());
    const faults = (await service.control(faultsList, {})).items;
    // Of the seed 7 the 1st and the 11th of these, and 14 attempts make 12 deliveries.
    expect(faults.map(({ matched, fired }) => [matched, fired])).toEqual([
      [0, 0],
      [0, 0],
      [14, 2],
    ]);
    expect(faults[2]).toMatchObject({ id: lots.id, about: "attempts", event_type: null, operation: "*" });
  });

  test("is in the trace of its event, on the live feed, and among the firings", async () => {
    const reader = await FeedReader.connect(service, null, "default");
    onTestFinished(() => reader.close());
    const fault = await arm({ name: "Down", effect: { error: { status: 503 } }, uses: 1 });
    const trace_id = await makeEvent();
    const { id: delivery_id } = await delivered(trace_id);
    const firing = {
      ...{ fault_id: fault.id, name: "Down", kind: "error", when: "before", integration_id, number: 1, left: 0 },
      attempt: { delivery_id, event_type: "repairer.jobs", number: 1 },
      sentence: "Not sent, counted as answered 503.",
    };
    expect((await service.control(tracesGet, { id: trace_id })).faults).toEqual([firing]);
    expect(reader.entries.filter((one) => one.kind === "fault" && one.trace_id === trace_id)).toMatchObject([
      { data: firing },
    ]);
    const { items } = await service.control(faultsFirings, { id: fault.id.toUpperCase() });
    expect(items).toEqual([{ ...firing, at: expect.any(String), trace_id }]);
    const all = (await service.control(faultsFirings, { limit: 3 })).items;
    expect([all.length, all[0]?.fault_id]).toEqual([3, fault.id]);
  });
});

test("a supplier that is down gets nothing until it is over, and then all that waited, once each", async () => {
  const down = readyMadeFaults.find(({ id }) => id === "supplier-down")?.faults[0];
  if (!down) throw new Error("there is no such fault");
  expect(down.for_seconds).toBe(3_600);
  const erp = await RecordingReceiver.start();
  const own = await startTestService();
  onTestFinished(async () => {
    await own.end();
    await erp.stop();
  });
  await own.control(policiesSet, { policies: { webhook_retries: "fast" } });
  await own.post("/__webhooks/subscribe", { integration_id: supplier.integration_id, url: erp.url });
  await subscribe(own);
  const { expires_at } = await own.control(faultsSet, { ...down, for_seconds: 2 });
  const over = Date.parse(expires_at ?? "");
  await placeOrder(own, "while it is down");
  // The buyer's notification of the same order is not held up.
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  const [waiting] = (await own.control(deliveriesList, { integration_id: supplier.integration_id })).items;
  const ofSupplier = () => own.control(deliveriesGet, { id: waiting?.id ?? "" });
  await expect.poll(async () => (await ofSupplier()).status, { timeout: 8_000 }).toBe("delivered");
  const { attempts, message_id } = await ofSupplier();
  expect(attempts.length).toBeGreaterThan(1);
  for (const { started_at, faults } of attempts)
    expect([Date.parse(started_at) < over, faults?.map(({ kind }) => kind)]).toEqual(
      faults ? [true, ["drop"]] : [false, undefined],
    );
  expect(erp.received.map(({ envelope }) => envelope.message_id)).toEqual([message_id]);
  await placeOrder(own, "when it is over");
  await erp.waitFor(2);
  expect((await own.control(faultsList, {})).items).toMatchObject([{ state: "expired", fired: attempts.length - 1 }]);
});

test("a fault of attempts outlives a restart, and so does all that it held back", async () => {
  const own = await startTestService();
  await own.control(policiesSet, { policies: { webhook_retries: "fast" } });
  await subscribe(own);
  await arm({ effect: { drop: {} }, calls: { first: 1 } }, own);
  await arm({ effect: { delay: { ms: 60_000 } }, uses: 1, calls: { nth: 2 } }, own);
  const trace = await makeEvent(own);
  await expect.poll(async () => (await own.control(faultsList, {})).items.map(({ fired }) => fired)).toEqual([1, 1]);
  await own.stop();
  expect(receiver.received).toEqual([]);
  const again = await startTestService(own.folder);
  onTestFinished(() => again.end());
  const { attempts } = await delivered(trace, again);
  expect(attempts.map(({ faults }) => faults?.map(({ kind }) => kind))).toEqual([["drop"], undefined]);
  expect((await again.control(faultsList, {})).items.map(({ fired }) => fired)).toEqual([1, 1]);
});

test("an exported world has its faults, and an attempt what it met, in the world it is imported into", async () => {
  await arm({ effect: { error: { status: 503 } }, calls: { probability: 0.5 }, event_type: "repairer.jobs", uses: 1 });
  const traces: string[] = [];
  while ((await service.control(faultsList, {})).items[0]?.fired === 0) traces.push(await makeEvent());
  await delivered(traces.at(-1) ?? "");
  const { document } = await service.control(snapshotsExport, {});
  const imported = { world: "imported", name: "brought" };
  await service.control(snapshotsImport, { ...imported, document });
  await service.control(snapshotsRestore, imported);
  expect((await service.control(faultsList, { world: "imported" })).items).toEqual(
    (await service.control(faultsList, {})).items,
  );
  const { items } = await service.control(deliveriesList, { world: "imported", limit: 20 });
  const met = await Promise.all(items.map(({ id }) => service.control(deliveriesGet, { world: "imported", id })));
  expect(
    met.flatMap(({ attempts }) => attempts).filter(({ faults }) => faults?.[0]?.kind === "error").length,
  ).toBeGreaterThan(0);
});

test("a fault of attempts that is refused says why", async () => {
  const bad: [said: string, asked: unknown][] = [
    ["/effect/hang is for calls; attempts meet error, delay, drop", { effect: { hang: {} } }],
    ["/effect/truncate is for calls; attempts meet error, delay, drop", { effect: { truncate: {} } }],
    ["/effect/rate_limit is for calls", { effect: { rate_limit: { limit: 1, window_seconds: 1 } } }],
    ["/effect/delay/when must be before for attempts", { effect: { delay: { ms: 1, when: "after" } } }],
    ["/effect/error/code is for calls; a receiver answers a status", { effect: { error: { code: "forbidden" } } }],
    ["/effect/error must say", { effect: { error: {} } }],
    ["/operation must not be there for attempts", { effect: { drop: {} }, operation: jobsInsert.id }],
    ["/event_type must be one of", { effect: { drop: {} }, event_type: "jobs" }],
    ["/event_type is for attempts", { about: "calls", effect: { drop: {} }, event_type: "repairer.jobs" }],
    ["/calls/probability must be number between 0 and 1", { effect: { drop: {} }, calls: { probability: 1.5 } }],
    ["/calls/seed must be integer", { effect: { drop: {} }, calls: { probability: 1, seed: -1 } }],
  ];
  for (const [said, asked] of bad) {
    const { status, body } = await service.post<{ message: string }>(
      "/__sandbox/faults.set",
      { about: "attempts", ...(asked as object) },
      { authorization: `Bearer ${service.ready.control_token}` },
    );
    expect([status, body.message]).toEqual([400, expect.stringContaining(said)]);
    expect(body.message.startsWith(said)).toBe(true);
  }
});
