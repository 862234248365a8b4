import { describe, expect, it } from "vitest";
import { PAUSE_AFTER_MS } from "../rules/subscription-health.ts";
import { SUBSCRIPTION_ENDED } from "../storage/ended-deliveries.ts";
import { DeliveringWorld, SECRET } from "../testing/delivering-world.ts";
import { prepare } from "./prepare.ts";
import { record, settlementOf, type Tried } from "./record.ts";
import type { Sent } from "./send.ts";

const NOW = Date.now();
const setUp = () => {
  const known = new DeliveringWorld();
  known.subscribe("s");
  const [id = ""] = known.queue("s");
  const next = (delivery = id) => prepare(known.delivery(delivery), SECRET, NOW + 5);
  return { known, world: known.world, published: known.published, id, next };
};
const answered = (prepared: Sent["prepared"], status: number | null, more: Partial<Sent> = {}): Sent => ({
  prepared,
  durationMs: 1.5,
  status,
  headers: [["content-type", "text/plain"]],
  body: Buffer.from([0xff, 0]),
  truncated: false,
  error: null,
  lost: false,
  ...more,
});
const tried = (sent: Sent, endedAt = NOW): Tried => ({
  sent,
  settlement: settlementOf(sent, "standard", endedAt, 0.5),
  endedAt,
});

describe("what a try comes to", () => {
  const settler = () => {
    const prepared = setUp().next();
    return (status: number | null, schedule: "standard" | "fast" | "none", number = 1, jitter = 0.5) =>
      settlementOf(answered({ ...prepared, number }, status), schedule, NOW, jitter);
  };

  it("D72: is delivered by 200 and by no other status", () => {
    const settle = settler();
    expect(settle(200, "none")).toEqual({ status: "delivered", next_attempt_at: null, settled_at: NOW });
    for (const status of [100, 201, 202, 204, 206, 299, 301, 302, 304, 307, 400, 401, 404, 410, 429, 500, 503, null]) {
      expect(settle(status, "none"), String(status)).toEqual({
        status: "failed",
        next_attempt_at: null,
        settled_at: NOW,
      });
    }
  });

  it("D72: goes again at once where it was lost, which is no step of the schedule", () => {
    const prepared = setUp().next();
    const at = (number: number, lost_tries: number, lost: boolean) =>
      settlementOf(
        answered({ ...prepared, number, delivery: { ...prepared.delivery, lost_tries } }, lost ? null : 500, { lost }),
        "standard",
        NOW,
        0.5,
      ).next_attempt_at;
    expect([at(1, 0, true), at(2, 1, true)]).toEqual([NOW, NOW]);
    expect([at(3, 2, false), at(4, 2, false)]).toEqual([NOW + 5_000, NOW + 30_000]);
    // Lost again and again is a failure in the end.
    expect(at(25, 24, true)).toBe(NOW + 5_000);
  });

  it("D72: waits for the next try of the schedule, and has failed when there is none", () => {
    const settle = settler();
    expect(settle(500, "standard", 1)).toEqual({ status: "pending", next_attempt_at: NOW + 5_000, settled_at: null });
    expect(settle(null, "standard", 7)).toEqual({
      status: "pending",
      next_attempt_at: NOW + 10_800_000,
      settled_at: null,
    });
    expect(settle(500, "standard", 8).status).toBe("failed");
    expect(settle(500, "fast", 5, 0)).toEqual({ status: "pending", next_attempt_at: NOW + 4_500, settled_at: null });
    expect(settle(500, "fast", 6).status).toBe("failed");
    expect(settle(200, "standard", 8).status).toBe("delivered");
  });

  it("is not delivered by a 200 that broke off", () => {
    const prepared = setUp().next();
    const broken = answered(prepared, 200, { error: "the answer broke off" });
    expect(settlementOf(broken, "standard", NOW, 0.5)).toMatchObject({
      status: "pending",
      next_attempt_at: NOW + 5_000,
    });
  });

  it("goes again at once when it was lost with its connection, whatever the schedule says", () => {
    const prepared = setUp().next();
    const lost = answered({ ...prepared, number: 9 }, null, { error: "lost", lost: true });
    for (const schedule of ["standard", "none"] as const) {
      expect(settlementOf(lost, schedule, NOW, 0.5)).toEqual({
        status: "pending",
        next_attempt_at: NOW,
        settled_at: null,
      });
    }
  });
});

describe("recording tries", () => {
  it("keeps each byte for byte, settles the delivery and tells the world's log", async () => {
    const { known, world, published, id, next } = setUp();
    const first = next();
    const refused = { headers: [], body: Buffer.alloc(0), error: "connection refused" };
    await record(world, [tried(answered(first, null, refused))]);
    expect(known.delivery(id)).toMatchObject({
      status: "pending",
      attempts_made: 1,
      last_status: null,
      last_error: "connection refused",
      next_attempt_at: NOW + 5_000,
      settled_at: null,
    });
    const second = next();
    await record(world, [tried(answered(second, 200, { truncated: true }))]);
    expect(known.delivery(id)).toMatchObject({
      status: "delivered",
      attempts_made: 2,
      last_status: 200,
      last_error: null,
      next_attempt_at: null,
      settled_at: NOW,
    });
    expect(world.stores.outbox.attempts(second.delivery.seq)).toEqual([
      expect.objectContaining({
        number: 1,
        request_body: first.body,
        response_status: null,
        error: "connection refused",
        response_truncated: false,
      }),
      {
        number: 2,
        started_at: NOW + 5,
        duration_ms: 1.5,
        request_body: second.body,
        request_headers: second.headers,
        response_status: 200,
        response_headers: [["content-type", "text/plain"]],
        response_body: Buffer.from([0xff, 0]),
        response_truncated: true,
        error: null,
      },
    ]);
    expect(
      published.map((entry) => [
        entry.kind,
        entry.trace_id,
        entry.kind === "delivery" && [entry.data.status, entry.data.attempts_made],
      ]),
    ).toEqual([
      ["delivery", `trace of ${id}`, ["pending", 1]],
      ["delivery", `trace of ${id}`, ["delivered", 2]],
    ]);
  });

  it("writes all of them in one commit, each under its own trace", async () => {
    const { known, world, published, id, next } = setUp();
    const others = known.queue("s", 3);
    const ids = [id, ...others];
    await record(
      world,
      ids.map((one) => tried(answered(next(one), 200))),
    );
    expect(published.map(({ trace_id }) => trace_id)).toEqual(ids.map((one) => `trace of ${one}`));
    expect(known.standing("s")).toMatchObject({ pending: 0, delivered: 4 });
  });

  it("keeps what was tried also when the subscription ended meanwhile: it happened", async () => {
    const { known, world, published, id, next } = setUp();
    const [second = ""] = known.queue("s");
    const [first, other] = [answered(next(), 200), answered(next(second), 503)];
    await world.write(() => world.stores.subscriptions.delete("s"));
    expect(world.stores.outbox.delivery(id)).toBeUndefined();
    await record(world, [tried(first), tried(other)]);
    const { outbox } = world.stores;
    expect(outbox.delivery(id)).toMatchObject({ status: "delivered", attempts_made: 1 });
    expect(outbox.delivery(second)).toMatchObject({ status: "failed", last_error: SUBSCRIPTION_ENDED });
    expect(outbox.attempts(first.prepared.delivery.seq)).toHaveLength(1);
    expect(published.map(({ kind, data }) => [kind, "status" in data && data.status])).toEqual([
      ["delivery", "delivered"],
      ["delivery", "failed"],
    ]);
  });
});

describe("what tries say of a subscription", () => {
  const fail = { error: "connection refused" };

  it("is since when it fails, how often, and when it last acknowledged", async () => {
    const { known, world, next } = setUp();
    const [second = "", third = ""] = known.queue("s", 2);
    await record(world, [tried(answered(next(), 200), NOW), tried(answered(next(second), null, fail), NOW + 10)]);
    await record(world, [tried(answered(next(third), 500), NOW + 20)]);
    expect(known.standing("s")).toMatchObject({
      last_success_at: NOW,
      failing_since: NOW + 10,
      consecutive_failures: 2,
      paused_at: null,
    });
  });

  it("is nothing where a connection was lost", async () => {
    const { known, world, next } = setUp();
    await record(world, [tried(answered(next(), null, { error: "lost", lost: true }))]);
    expect(known.standing("s")).toMatchObject({ failing_since: null, consecutive_failures: 0 });
  });

  it("pauses it after three days of failures, visibly, and not before", async () => {
    const { known, world, published, next } = setUp();
    const ids = known.queue("s", 2);
    await record(world, [tried(answered(next(), null, fail), NOW)]);
    await record(world, [tried(answered(next(ids[0]), 503), NOW + PAUSE_AFTER_MS - 1)]);
    expect(known.standing("s")).toMatchObject({ paused_at: null, consecutive_failures: 2 });
    const before = world.stores.subscriptions.version;
    await record(world, [tried(answered(next(ids[1]), 503), NOW + PAUSE_AFTER_MS)]);
    expect(known.standing("s")).toMatchObject({
      paused_at: NOW + PAUSE_AFTER_MS,
      paused_by: "failures",
      failing_since: NOW,
      consecutive_failures: 3,
    });
    expect(published.at(-1)).toMatchObject({
      kind: "state",
      trace_id: expect.stringMatching(/^trace of s-/),
      data: {
        ...{ entity: "subscription", id: "s", change: "updated" },
        before: { paused_by: null },
        after: { paused_by: "failures", pending: 3 },
      },
    });
    expect(world.stores.subscriptions.version).not.toBe(before);
  });

  it("does not pause it when it acknowledged in the same breath", async () => {
    const { known, world, next } = setUp();
    const [second = "", third = ""] = known.queue("s", 2);
    await record(world, [tried(answered(next(), 500), NOW)]);
    const late = NOW + 2 * PAUSE_AFTER_MS;
    await record(world, [tried(answered(next(second), 500), late), tried(answered(next(third), 200), late + 1)]);
    expect(known.standing("s")).toMatchObject({ paused_at: null, failing_since: null, last_success_at: late + 1 });
  });
});
