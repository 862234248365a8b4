import http from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  deliveriesGet,
  deliveriesList,
  deliveriesRedeliver,
  subscriptionsList,
} from "../contract/control/operations.ts";
import {
  subscriptionsPause,
  subscriptionsResume,
  subscriptionsSendTest,
} from "../contract/control/receiver-operations.ts";
import type { Delivery, Subscription } from "../contract/control/rows.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
let site = "";
let worlds = 0;
beforeAll(async () => {
  service = await startTestService();
  site = await ownSite(service);
});
afterAll(() => service.end());

/** A new world without retries, with one subscribed address. */
const subscribed = async (url: string, on: TestService = service) => {
  worlds += 1;
  const world = `deliveries-${worlds}`;
  const tenant = { "x-sandbox-tenant": world };
  const integration_id = repairer.integration_id;
  await on.control(policiesSet, { world, policies: { webhook_retries: "none" } });
  const subscribe = async (address: string) =>
    expect((await on.post("/__webhooks/subscribe", { integration_id, url: address }, tenant)).status).toBe(200);
  await subscribe(url);
  let jobs = 0;
  const change = async (): Promise<string> => {
    jobs += 1;
    const job = { identity: { external: `${world}:${jobs}` }, repairer_site_id: site };
    return (await on.ok(jobsInsert, job, repairer, tenant)).id;
  };
  const subscriptions = async () => (await on.control(subscriptionsList, { world })).items;
  const list = (filter: object = {}) => on.control(deliveriesList, { world, ...filter });
  const nonePending = () =>
    expect.poll(async () => (await list({ status: "pending" })).total, { timeout: 15_000 }).toBe(0);
  const newest = async (): Promise<Delivery> => {
    await nonePending();
    const [row] = (await list()).items;
    return on.control(deliveriesGet, { world, id: row?.id ?? "" });
  };
  return { world, subscribe, change, subscriptions, list, nonePending, newest };
};
const startReceiver = async (): Promise<RecordingReceiver> => {
  const receiver = await RecordingReceiver.start();
  onTestFinished(() => receiver.stop());
  return receiver;
};
const tokenOf = ({ ready }: TestService) => ({ authorization: `Bearer ${ready.control_token}` });
const only = <T>(items: readonly T[]): T => {
  const [item] = items;
  if (item === undefined || items.length > 1) throw new Error(`${items.length} items, not one`);
  return item;
};

describe("a receiver's response", () => {
  const answering = async (respond: http.RequestListener): Promise<Delivery> => {
    const server = http.createServer(respond);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { change, newest } = await subscribed(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await change();
    return newest();
  };
  const bodyOf = ({ attempts }: Delivery): Buffer => Buffer.from(only(attempts).response_body_base64, "base64");

  test("is stored as received, even if compressed", async () => {
    const packed = gzipSync(JSON.stringify({ ok: true }));
    const delivery = await answering((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip", "x-two": ["a", "b"] }).end(packed),
    );
    expect([delivery.status, bodyOf(delivery)]).toEqual(["delivered", packed]);
    const attempt = only(delivery.attempts);
    expect(attempt.response_headers).toEqual(
      expect.arrayContaining([
        ["content-encoding", "gzip"],
        ["x-two", "a"],
        ["x-two", "b"],
      ]),
    );
    expect(attempt.request_headers.map(([name]) => name)).toEqual([
      "host",
      "connection",
      "content-type",
      "user-agent",
      "service-hmac-sha256",
      "content-length",
    ]);
    expect(attempt.response_truncated).toBe(false);
    expect(attempt.explanation).toBeNull();
  });

  test("is explained with a remedy if it doesn't acknowledge", async () => {
    const refusing = await answering((_, response) => response.writeHead(401).end('{"error":"Bad signature"}'));
    expect(only(refusing.attempts).explanation).toEqual({
      sentence: "The receiver returned 401: “Bad signature”.",
      whose: "Signature and timestamp were correct when it was sent, so the cause is on the receiver’s side.",
      decision: null,
      what_to_do:
        "Check that the receiver uses this integration’s webhook secret and the raw bytes of the body, not JSON that it parsed and wrote again. Then send it again.",
    });
  });
});

describe("the health of a subscription", () => {
  test("covers the first success and later failures", async () => {
    const receiver = await startReceiver();
    const { change, subscriptions, list, nonePending } = await subscribed(receiver.url);
    const fresh = only(await subscriptions());
    expect(fresh).toMatchObject({
      pending: 0,
      last_success_at: null,
      failing_since: null,
      consecutive_failures: 0,
      next_attempt_at: null,
      paused_at: null,
      paused_by: null,
    });
    await change();
    await nonePending();
    const well = only(await subscriptions());
    expect(well).toMatchObject({ delivered: 1, last_success_at: expect.any(String), failing_since: null });
    receiver.answerWith(() => 503);
    for (let count = 0; count < 3; count += 1) await change();
    await nonePending();
    expect(only(await subscriptions())).toMatchObject({
      delivered: 1,
      failed: 3,
      last_success_at: well.last_success_at,
      failing_since: expect.any(String),
      last_failure: { delivery_id: (await list()).items[0]?.id, status: 503, error: null },
      consecutive_failures: 3,
    });
    receiver.answerWith(() => 200);
    await change();
    await nonePending();
    expect(only(await subscriptions())).toMatchObject({
      ...{ failing_since: null, last_failure: null, consecutive_failures: 0 },
    });
  });

  test("includes the next attempt", async () => {
    const receiver = await startReceiver();
    const { world, change, subscriptions, list } = await subscribed(receiver.url);
    await service.control(policiesSet, { world, policies: { webhook_retries: "standard" } });
    receiver.answerWith(() => 500);
    await change();
    await expect.poll(async () => only((await list()).items).attempts_made).toBe(1);
    const next = only(await subscriptions()).next_attempt_at;
    expect(next).not.toBeNull();
    expect(next).toBe(only((await list()).items).next_attempt_at);
  });
});

describe("a pause", () => {
  test("keeps notifications pending until resumed, then sends them in order", async () => {
    const receiver = await startReceiver();
    const { world, change, subscriptions, list, nonePending } = await subscribed(receiver.url);
    const { id } = only(await subscriptions());
    const paused = await service.control(subscriptionsPause, { world, id });
    expect(paused).toMatchObject({ id, paused_at: expect.any(String), paused_by: "person", next_attempt_at: null });
    expect(await service.control(subscriptionsPause, { world, id: id.toUpperCase() })).toEqual(paused);
    const jobs = [await change(), await change(), await change()];
    expect([(await list({ status: "pending" })).total, only(await subscriptions()).pending]).toEqual([3, 3]);
    expect(receiver.received).toEqual([]);
    const resumed = await service.control(subscriptionsResume, { world, id });
    expect(resumed).toMatchObject({ id, paused_at: null, paused_by: null });
    await nonePending();
    expect(
      receiver.received.map(({ envelope }) => ("job_id" in envelope.payload ? envelope.payload.job_id : "")),
    ).toEqual(jobs);
    expect((await service.control(subscriptionsResume, { world, id })).paused_at).toBeNull();
  });

  test("ends the wait for a retry, which is sent immediately when resumed", async () => {
    const receiver = await startReceiver();
    const { world, change, subscriptions, list, nonePending } = await subscribed(receiver.url);
    await service.control(policiesSet, { world, policies: { webhook_retries: "standard" } });
    receiver.answerWith(() => 500);
    await change();
    await expect.poll(async () => only((await list()).items).attempts_made).toBe(1);
    const { next_attempt_at } = only((await list()).items);
    const { id } = only(await subscriptions());
    await service.control(subscriptionsPause, { world, id });
    receiver.answerWith(() => 200);
    await service.control(subscriptionsResume, { world, id });
    await nonePending();
    expect(only((await list()).items)).toMatchObject({ status: "delivered", attempts_made: 2 });
    expect(Date.now()).toBeLessThan(Date.parse(next_attempt_at ?? ""));
  });

  test("requires an existing subscription", async () => {
    const id = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";
    const authorization = `Bearer ${service.ready.control_token}`;
    for (const operation of [subscriptionsPause, subscriptionsResume])
      expect((await service.call(operation, { id }, undefined, { authorization })).status).toBe(404);
  });

  test("survives a restart", async () => {
    const first = await startTestService();
    const receiver = await startReceiver();
    const { world, change, subscriptions } = await subscribed(receiver.url, first);
    await first.control(subscriptionsPause, { world, id: only(await subscriptions()).id });
    await change();
    await first.stop();
    const second = await startTestService(first.folder);
    onTestFinished(() => second.end());
    const other = await startReceiver();
    const beside = await subscribed(other.url, second);
    await beside.change();
    await other.waitFor(1);
    const paused: Subscription = only((await second.control(subscriptionsList, { world })).items);
    expect([paused.paused_by, paused.pending, receiver.received.length]).toEqual(["person", 1, 0]);
  });
});

describe("the list of deliveries", () => {
  test("filters by subscription and status, in pages", async () => {
    const [well, ill] = [await startReceiver(), await startReceiver()];
    ill.answerWith(() => 500);
    const { subscribe, change, subscriptions, list, nonePending } = await subscribed(well.url);
    await subscribe(ill.url);
    for (let count = 0; count < 5; count += 1) await change();
    await nonePending();
    const [first, second] = await subscriptions();
    const listFiltered = async (filter: object) => {
      const { items, total } = await list(filter);
      return [total, new Set(items.map(({ subscription_id, status }) => `${subscription_id} ${status}`))];
    };
    expect(await listFiltered({ subscription_id: first?.id })).toEqual([5, new Set([`${first?.id} delivered`])]);
    expect(await listFiltered({ subscription_id: second?.id.toUpperCase() })).toEqual([
      5,
      new Set([`${second?.id} failed`]),
    ]);
    expect(await listFiltered({ subscription_id: second?.id, status: "delivered" })).toEqual([0, new Set()]);
    expect((await list({ status: "failed" })).total).toBe(5);
    const page = await list({ subscription_id: first?.id, limit: 3 });
    const next = await list({ subscription_id: first?.id, limit: 3, cursor: page.next_cursor ?? "" });
    expect([page.items.length, next.items.length, next.next_cursor]).toEqual([3, 2, null]);
    const ids = [...page.items, ...next.items].map(({ id }) => id);
    expect(ids).toEqual((await list({ subscription_id: first?.id })).items.map(({ id }) => id));
  });

  test("contains a redelivery as a new entry that names the original", async () => {
    const receiver = await startReceiver();
    const { world, change, list, nonePending } = await subscribed(receiver.url);
    await change();
    await nonePending();
    const original = only((await list()).items);
    const again = await service.control(deliveriesRedeliver, { world, id: original.id });
    expect(again).toMatchObject({ status: "pending", attempts_made: 0, repeats_id: original.id });
    await nonePending();
    expect((await list()).items.map(({ id, status }) => [id, status])).toEqual([
      [again.id, "delivered"],
      [original.id, "delivered"],
    ]);
    const [one, other] = await receiver.waitFor(2);
    expect(other?.envelope.message_id).toBe(one?.envelope.message_id);
    await change();
    await nonePending();
    const { message_id } = original;
    const ofMessage = await list({ message_id: message_id.toUpperCase(), status: "delivered" });
    expect([ofMessage.total, ofMessage.items.map(({ id }) => id)]).toEqual([2, [again.id, original.id]]);
    expect((await list({ message_id, status: "failed" })).items).toEqual([]);
    expect((await list({ message_id: original.id })).items).toEqual([]);
    const all = (await list()).items.filter(({ job_id }) => job_id === original.job_id);
    const ofJob = await list({ job_id: original.job_id.toUpperCase() });
    expect([ofJob.total, ofJob.items]).toEqual([all.length, all]);
    expect((await list({ job_id: original.id })).items).toEqual([]);
  });
});

describe("a test event", () => {
  test("is sent only to its subscription, signed and marked, with fictitious IDs", async () => {
    const [receiver, other] = [await startReceiver(), await startReceiver()];
    const { world, subscribe, subscriptions, newest, change } = await subscribed(receiver.url);
    await subscribe(other.url);
    const { id } = (await subscriptions()).find(({ url }) => url === receiver.url) ?? { id: "" };
    const queued = await service.control(subscriptionsSendTest, { world, id });
    expect(queued).toMatchObject({ subscription_id: id, status: "pending", label: "Test event", test: true });
    const [received] = await receiver.waitFor(1);
    const nothing = "00000000-0000-0000-0000-000000000000";
    expect(received?.envelope).toMatchObject({
      event_type: "repairer.jobs",
      payload: { job_id: nothing, change_action: "updated" },
    });
    expect(Object.keys(received?.envelope ?? {})).toHaveLength(8);
    const delivery = await newest();
    expect(delivery).toMatchObject({ id: queued.id, status: "delivered", test: true });
    const attempt = only(delivery.attempts);
    expect(attempt.request_headers).toContainEqual(["x-sandbox-test-event", "true"]);
    expect(attempt.verification.map(({ verdict }) => verdict)).toEqual(["passed", "passed", "passed", "passed"]);
    expect(other.received).toEqual([]);

    await change();
    const real = await newest();
    expect(real).not.toHaveProperty("test");
    expect(only(real.attempts).request_headers.map(([name]) => name)).not.toContain("x-sandbox-test-event");
  });

  test("names an order for a supplier, and is refused without a subscription", async () => {
    const receiver = await startReceiver();
    const { world } = await subscribed(receiver.url);
    const { integration_id } = supplier;
    await service.post("/__webhooks/subscribe", { integration_id, url: receiver.url }, { "x-sandbox-tenant": world });
    const { items } = await service.control(subscriptionsList, { world });
    const id = items.find((one) => one.integration_id === integration_id)?.id ?? "";
    await service.control(subscriptionsSendTest, { world, id });
    const [received] = await receiver.waitFor(1);
    expect(received?.envelope).toMatchObject({
      event_type: "supplier.procurements",
      payload: { status: "order_requested" },
    });
    const nowhere = { world, id: "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a" };
    expect((await service.call(subscriptionsSendTest, nowhere, undefined, tokenOf(service))).status).toBe(404);
  });
});

test("without deliveries everything stays pending, and nothing is next", async () => {
  const off = await startTestService(undefined, { deliveries: false });
  onTestFinished(() => off.end());
  const receiver = await startReceiver();
  const { world, change, list, subscriptions } = await subscribed(receiver.url, off);
  const { id } = only(await subscriptions());
  const refused = await off.call(subscriptionsSendTest, { world, id }, undefined, tokenOf(off));
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(/--deliveries on/) } });
  await change();
  expect((await list({ status: "pending" })).total).toBe(1);
  expect(only(await subscriptions())).toMatchObject({ pending: 1, next_attempt_at: null, paused_at: null });
  expect(receiver.received).toEqual([]);
});
