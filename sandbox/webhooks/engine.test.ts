import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PAUSE_AFTER_MS } from "../rules/webhooks/subscription-health.ts";
import { NotDurableError } from "../storage/writer.ts";
import { deliveringEngine, receivedIds, startReceiver } from "../testing/delivering-engine.ts";
import { DeliveryEngine } from "./engine.ts";

describe("delivery", () => {
  it("D73: keeps the order of events, even for thousands", async () => {
    const { known, deliver, done, errors } = deliveringEngine();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    const ids = deliver("s", 500);
    await done("s");
    expect(receivedIds(receiver.received)).toEqual(ids);
    expect([known.subscription("s").delivered, errors]).toEqual([500, []]);
  });

  it("sends nothing about a change that isn't durable yet", async () => {
    const mayLeave = vi.fn(async () => true).mockResolvedValueOnce(false);
    const { known, world, engine, deliver, done } = deliveringEngine({ mayLeave });
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    const ids = deliver("s", 2);
    await vi.waitUntil(() => mayLeave.mock.calls.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([receiver.received.length, mayLeave.mock.calls]).toEqual([0, [[world.name]]]);
    engine.wake(world);
    await done("s");
    expect(receivedIds(receiver.received)).toEqual(ids);
  });

  it("sends nothing that was paused or stopped just before", async () => {
    const gate = Promise.withResolvers<boolean>();
    const mayLeave = vi.fn(() => gate.promise);
    const { known, world, engine, deliver } = deliveringEngine({ mayLeave });
    const receiver = await startReceiver();
    const { seq } = known.subscribe("s", receiver.url);
    deliver("s");
    await vi.waitUntil(() => mayLeave.mock.calls.length > 0);
    await world.write(() => world.stores.subscriptions.pause(seq, Date.now(), "person"));
    engine.wake(world);
    await new Promise((resolve) => setImmediate(resolve));
    gate.resolve(true);
    const other = deliveringEngine();
    other.known.subscribe("s", receiver.url);
    other.deliver("s");
    await other.engine.stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.received).toEqual([]);
  });

  it("repeats deliveries of a broken connection in order, and shows both attempts", async () => {
    const { known, world, deliver, done } = deliveringEngine();
    await known.retryFast();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    let broken = 0;
    receiver.answerWith((_, count) => {
      if (count === 150) {
        broken = receiver.received.length;
        receiver.breakConnections();
      }
      return 200;
    });
    const ids = deliver("s", 300);
    await done("s");
    const received = receivedIds(receiver.received);
    expect([...new Set(received)].toSorted()).toEqual(ids.toSorted());
    expect(received.filter((id, index) => received.indexOf(id) === index)).toEqual(ids);
    const repeated = ids.filter((id) => known.delivery(id).attempts_made > 1);
    expect([broken >= 150, repeated.length > 0]).toEqual([true, true]);
    for (const id of repeated) {
      const attempts = world.stores.outbox.attempts(known.delivery(id).seq);
      expect(attempts.map(({ response_status }) => response_status)).toEqual([null, 200]);
      expect(attempts[0]?.error).toMatch(/broke off|without a response/);
    }
  });

  it.each([
    ["back", -7_200_000],
    ["forward and back again", 7_200_000],
  ])(
    "D72: retries after the right delay even if the clock is set %s meanwhile, and keeps D73's order",
    async (_, ms) => {
      const { known, deliver, done } = deliveringEngine();
      await known.retryFast();
      const receiver = await startReceiver();
      known.subscribe("s", receiver.url);
      receiver.answerWith(() => 500);
      const [failed = ""] = deliver("s", 1);
      const attempts = (least: number) =>
        expect.poll(() => known.delivery(failed).attempts_made, { timeout: 10_000 }).toBeGreaterThanOrEqual(least);
      await attempts(1);
      const real = Date.now;
      const clock = vi.spyOn(Date, "now").mockImplementation(() => real() + ms);
      onTestFinished(() => clock.mockRestore());
      if (ms > 0) {
        await attempts(2);
        clock.mockImplementation(real);
      }
      receiver.answerWith(() => 200);
      const later = deliver("s", 20);
      await done("s");
      const received = receivedIds(receiver.received).filter((id) => later.includes(id));
      expect(received).toEqual(later);
    },
  );

  it("waits while the disk takes no records, and repeats nothing afterwards", async () => {
    const { known, world, deliver, done, errors } = deliveringEngine();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    const write = vi.spyOn(world, "write").mockRejectedValue(new NotDurableError(new Error("disk full")));
    const ids = deliver("s", 800);
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(512);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([receiver.received.length, known.subscription("s").delivered]).toEqual([512, 0]);
    write.mockRestore();
    await done("s");
    expect(receivedIds(receiver.received)).toEqual(ids);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.every((error) => error instanceof NotDurableError)).toBe(true);
  });

  it("reports only failed attempts, once they are recorded", async () => {
    const failed = vi.fn();
    const { known, deliver, done } = deliveringEngine({ failed });
    await known.retryFast();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    receiver.answerWith((_, count) => (count === 1 ? 500 : 200));
    const looked = vi.spyOn(known.world.stores.outbox, "due");
    const [id] = deliver("s", 2);
    await done("s");
    // Nothing is looked for while the second attempt isn't due.
    expect(looked.mock.calls.length).toBeLessThan(20);
    const of = { sent: { prepared: { delivery: { id } }, exchanged: { response_status: 500 } } };
    expect(failed.mock.calls).toEqual([[known.world, expect.objectContaining({ endedAt: expect.any(Number) })]]);
    expect(failed.mock.calls[0]?.[1]).toMatchObject(of);
  });

  it("leaves unsigned deliveries pending", async () => {
    const { known, engine, pending, deliver, done } = deliveringEngine();
    const receiver = await startReceiver();
    known.world.stores.subscriptions.insert({ id: "x", integration_id: "nobody", url: receiver.url, created_at: 0 });
    known.subscribe("s", `${receiver.url}/s`);
    known.queue("x");
    const looked = vi.spyOn(known.world.stores.outbox, "due");
    engine.wake(known.world);
    deliver("s");
    await done("s");
    expect([receiver.received.length, pending("x"), looked.mock.calls.length < 10]).toEqual([1, 1, true]);
  });

  it("sends nothing if disabled", async () => {
    const { known, deliver, pending } = deliveringEngine({ enabled: false });
    const other = deliveringEngine();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    other.known.subscribe("s", `${receiver.url}/other`);
    deliver("s", 3);
    other.deliver("s");
    await other.done("s");
    expect([receiver.received.length, pending("s")]).toEqual([1, 3]);
  });
});

describe("an ended subscription", () => {
  it("gets nothing more of its pending deliveries", async () => {
    const { known, world, engine, deliver, errors } = deliveringEngine();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    let release = (): void => undefined;
    receiver.answerWith(() => new Promise((resolve) => (release = () => resolve(200))));
    deliver("s", 10);
    await receiver.waitFor(1);
    await world.write(() => world.stores.subscriptions.end("s"));
    engine.wake(world);
    release();
    const other = await startReceiver();
    known.subscribe("t", other.url);
    deliver("t");
    await other.waitFor(1);
    expect([receiver.received.length, errors]).toEqual([1, []]);
  });

  it("is not recorded after its world was deleted, and nothing more is sent", async () => {
    const { known, world, engine, deliver, errors } = deliveringEngine();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    let release = (): void => undefined;
    receiver.answerWith(() => new Promise((resolve) => (release = () => resolve(200))));
    deliver("s", 5);
    await receiver.waitFor(1);
    world.close();
    release();
    const { known: other, ...next } = deliveringEngine();
    other.subscribe("s", `${receiver.url}/other`);
    receiver.answerWith(() => 200);
    next.deliver("s");
    await next.done("s");
    engine.wake(other.world);
    expect([receiver.received.length, errors]).toEqual([2, []]);
  });
});

describe("a paused subscription", () => {
  it("gets nothing, and continues in order when resumed", async () => {
    const { known, world, engine, deliver, done, pending } = deliveringEngine();
    const [receiver, other] = [await startReceiver(), await startReceiver()];
    const { seq } = known.subscribe("s", receiver.url);
    known.subscribe("other", other.url);
    const first = deliver("s", 3);
    await done("s");
    await world.write(() => world.stores.subscriptions.pause(seq, Date.now(), "person"));
    engine.wake(world);
    const later = deliver("s", 4);
    deliver("other");
    await done("other");
    expect([receiver.received.length, pending("s")]).toEqual([3, 4]);
    await world.write(() => world.stores.subscriptions.resume(known.subscription("s")));
    engine.wake(world);
    await done("s");
    expect(receivedIds(receiver.received)).toEqual([...first, ...later]);
  });

  it("results from three days of failures, keeps pending deliveries, and starts over when resumed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { known, world, engine, deliver, done, pending } = deliveringEngine();
    const receiver = await startReceiver();
    receiver.answerWith(() => 503);
    known.subscribe("s", receiver.url);
    const polling = { timeout: 15_000 };
    const began = Date.now();
    const ids = deliver("s");
    await expect.poll(() => known.subscription("s").consecutive_failures, polling).toBe(1);
    // Waiting advances the fake clock slightly.
    const since = known.subscription("s").failing_since ?? 0;
    expect([since >= began, since < began + 60_000]).toEqual([true, true]);
    vi.setSystemTime(since + PAUSE_AFTER_MS - 60_000);
    ids.push(...deliver("s"));
    await expect.poll(() => known.subscription("s").consecutive_failures, polling).toBe(3);
    expect(known.subscription("s")).toMatchObject({ failing_since: since, paused_at: null });
    vi.setSystemTime(since + PAUSE_AFTER_MS);
    ids.push(...deliver("s"));
    await expect.poll(() => known.subscription("s").paused_by, polling).toBe("failures");
    expect(pending("s")).toBe(3);
    const sent = receiver.received.length;
    ids.push(...deliver("s", 2));
    receiver.answerWith(() => 200);
    await world.write(() => world.stores.subscriptions.resume(known.subscription("s")));
    vi.setSystemTime(since + 2 * PAUSE_AFTER_MS);
    engine.wake(world);
    await done("s");
    expect(receivedIds(receiver.received.slice(sent))).toEqual(ids);
    expect(known.subscription("s")).toMatchObject({ failing_since: null, consecutive_failures: 0, paused_at: null });
  });
});

describe("a stop", () => {
  it("is immediate if nothing is being sent, and no wake-up sends anything afterwards", async () => {
    const { known, world, engine, deliver, done, pending } = deliveringEngine();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    world.stores.subscriptions.pause(known.subscribe("t", `${receiver.url}/t`).seq, Date.now(), "person");
    deliver("s");
    await done("s");
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await engine.stop();
    vi.useRealTimers();
    deliver("s");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([receiver.received.length, pending("s")]).toEqual([1, 1]);
  });

  it("waits for the current response, records it, and sends nothing more", async () => {
    const { known, engine, deliver, pending } = deliveringEngine();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    receiver.answerWith(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return 200;
    });
    deliver("s", 5);
    await receiver.waitFor(1);
    await engine.stop();
    expect([receiver.received.length, known.subscription("s").delivered, pending("s")]).toEqual([1, 1, 4]);
  });

  it("doesn't wait for a hanging receiver, and leaves it to the next start", async () => {
    const { known, engine, deliver, pending } = deliveringEngine();
    const receiver = await startReceiver();
    known.subscribe("s", receiver.url);
    receiver.answerWith(() => new Promise(() => undefined));
    deliver("s", 2);
    await receiver.waitFor(1);
    await engine.stop();
    await receiver.waitUntilLeft();
    expect([pending("s"), known.delivery("s-1").attempts_made]).toEqual([2, 0]);
    const next = new DeliveryEngine({
      enabled: true,
      allows: () => true,
      withWorld: known.withWorld,
      onError: () => undefined,
    });
    onTestFinished(() => next.stop());
    receiver.answerWith(() => 200);
    next.wake(known.world);
    await expect.poll(() => pending("s")).toBe(0);
    expect(receivedIds(receiver.received)).toEqual(["s-1", "s-1", "s-2"]);
  }, 9_000);
});
