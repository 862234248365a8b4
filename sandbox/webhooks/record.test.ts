import { describe, expect, it } from "vitest";
import { SANDBOX_RECEIVER_HEADER } from "../rules/webhooks/receiver.ts";
import { PAUSE_AFTER_MS } from "../rules/webhooks/subscription-health.ts";
import { DeliveringWorld, INTEGRATION, SECRET } from "../testing/delivering-world.ts";
import { prepare } from "./prepare.ts";
import { createOutcome, type FinishedAttempt, recordAttempts, toNotedFailure } from "./record.ts";
import type { SentAttempt } from "./send.ts";

const NOW = Date.now();
const setUp = () => {
  const known = new DeliveringWorld();
  known.subscribe("s");
  const [id = ""] = known.queue("s");
  const next = (delivery = id) => prepare(known.delivery(delivery), SECRET, NOW + 5);
  return { known, world: known.world, published: known.published, id, next };
};
const answered = (
  prepared: SentAttempt["prepared"],
  response_status: number | null,
  {
    acknowledged = response_status === 200,
    ...more
  }: Partial<SentAttempt["exchanged"]> & { acknowledged?: boolean } = {},
): SentAttempt => ({
  prepared,
  acknowledged,
  exchanged: {
    duration_ms: 1.5,
    request_headers: prepared.headers.map(([name, value]): [string, string] => [name, value]),
    request_body_base64: prepared.body.toString("base64"),
    response_status,
    response_headers: [["content-type", "text/plain"]],
    response_body_base64: "/wA=",
    response_truncated: false,
    error: null,
    ...more,
  },
});
const attempted = (sent: SentAttempt, endedAt = NOW): FinishedAttempt => ({
  sent,
  outcome: createOutcome(sent, "standard", endedAt, 0.5),
  endedAt,
});

describe("the result of an attempt", () => {
  const outcomeOf = () => {
    const prepared = setUp().next();
    return (status: number | null, schedule: "standard" | "fast" | "none", number = 1, jitter = 0.5) =>
      createOutcome(answered({ ...prepared, number }, status), schedule, NOW, jitter);
  };

  it("D72: is delivered only for 200", () => {
    const outcome = outcomeOf();
    expect(outcome(200, "none")).toEqual({ status: "delivered", next_attempt_at: null, ended_at: NOW });
    for (const status of [100, 201, 202, 204, 206, 299, 301, 302, 304, 307, 400, 401, 404, 410, 429, 500, 503, null]) {
      expect(outcome(status, "none"), String(status)).toEqual({
        status: "failed",
        next_attempt_at: null,
        ended_at: NOW,
      });
    }
  });

  it("D72: is pending until the next attempt of the schedule, and failed after the last", () => {
    const outcome = outcomeOf();
    expect(outcome(500, "standard", 1)).toEqual({ status: "pending", next_attempt_at: NOW + 5_000, ended_at: null });
    expect(outcome(null, "standard", 7)).toEqual({
      status: "pending",
      next_attempt_at: NOW + 10_800_000,
      ended_at: null,
    });
    expect(outcome(500, "standard", 8).status).toBe("failed");
    expect(outcome(500, "fast", 5, 0)).toEqual({ status: "pending", next_attempt_at: NOW + 4_500, ended_at: null });
    expect(outcome(500, "fast", 6).status).toBe("failed");
    expect(outcome(200, "standard", 8).status).toBe("delivered");
  });

  it("isn't delivered for an incomplete 200", () => {
    const prepared = setUp().next();
    const broken = answered(prepared, 200, { error: "the response broke off", acknowledged: false });
    expect(createOutcome(broken, "standard", NOW, 0.5)).toMatchObject({
      status: "pending",
      next_attempt_at: NOW + 5_000,
    });
  });
});

describe("recording attempts", () => {
  it("stores each byte for byte, ends the delivery and publishes it", async () => {
    const { known, world, published, id, next } = setUp();
    const first = next();
    const refused = { response_headers: [], response_body_base64: "", error: "connection refused" };
    await recordAttempts(world, [attempted(answered(first, null, refused))]);
    expect(known.delivery(id)).toMatchObject({
      status: "pending",
      attempts_made: 1,
      last_status: null,
      last_error: "connection refused",
      next_attempt_at: new Date(NOW + 5_000).toISOString(),
      ended_at: null,
    });
    const second = next();
    await recordAttempts(world, [attempted(answered(second, 200, { response_truncated: true }))]);
    expect(known.delivery(id)).toMatchObject({
      status: "delivered",
      attempts_made: 2,
      last_status: 200,
      last_error: null,
      next_attempt_at: null,
      ended_at: new Date(NOW).toISOString(),
    });
    expect(world.stores.outbox.attempts(second.delivery.seq)).toEqual([
      expect.objectContaining({
        number: 1,
        request_body_base64: first.body.toString("base64"),
        response_status: null,
        error: "connection refused",
        response_truncated: false,
      }),
      {
        number: 2,
        started_at: new Date(NOW + 5).toISOString(),
        duration_ms: 1.5,
        request_body_base64: second.body.toString("base64"),
        request_headers: second.headers,
        response_status: 200,
        response_headers: [["content-type", "text/plain"]],
        response_body_base64: "/wA=",
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

  it("writes all in one commit, each with its own trace", async () => {
    const { known, world, published, id, next } = setUp();
    const others = known.queue("s", 3);
    const ids = [id, ...others];
    await recordAttempts(
      world,
      ids.map((one) => attempted(answered(next(one), 200))),
    );
    expect(published.map(({ trace_id }) => trace_id)).toEqual(ids.map((one) => `trace of ${one}`));
    expect(known.subscription("s")).toMatchObject({ pending: 0, delivered: 4 });
  });

  it("records nothing if the subscription ended during the attempt", async () => {
    const { world, published, id, next } = setUp();
    const sent = answered(next(), 200);
    await world.write(() => world.stores.subscriptions.end("s"));
    await recordAttempts(world, [attempted(sent)]);
    expect([world.stores.outbox.delivery(id), published]).toEqual([undefined, []]);
  });
});

it("counts a failed attempt for the receiver's organization, at the time it was sent", () => {
  const { world, next, id } = setUp();
  const noted = (status: number | null) => toNotedFailure(world, attempted(answered(next(), status)));
  expect(noted(503)).toEqual({
    ...{ world: "team", at: NOW + 5, id, operation: "repairer.jobs" },
    failure: {
      ...{ kind: "delivery", cause: "receiver_refused", status: 503, integration_id: INTEGRATION },
      ...{ organization_name: null, side: "repairer", user_agent: null, origin: "partner" },
    },
  });
  expect(noted(null).failure).toMatchObject({ cause: "receiver_unreachable", status: 0 });
});

describe("the health that attempts give a subscription", () => {
  const fail = { error: "connection refused" };

  it("includes since when it fails, how often, why, and the last acknowledgement", async () => {
    const { known, world, next } = setUp();
    const [second = "", third = ""] = known.queue("s", 2);
    await recordAttempts(world, [
      attempted(answered(next(), 200), NOW),
      attempted(answered(next(second), null, fail), NOW + 10),
    ]);
    expect(known.subscription("s").last_failure).toEqual({ delivery_id: second, status: null, ...fail });
    await recordAttempts(world, [attempted(answered(next(third), 500), NOW + 20)]);
    expect(known.subscription("s")).toMatchObject({
      last_success_at: NOW,
      failing_since: NOW + 10,
      last_failure: { delivery_id: third, status: 500, error: null },
      consecutive_failures: 2,
      paused_at: null,
    });
  });

  it("marks it permanently as a sandbox's after one response of a sandbox", async () => {
    const { known, world, next } = setUp();
    const [second = "", third = ""] = known.queue("s", 2);
    const bySandbox = () => world.db.get("SELECT by_sandbox FROM subscriptions");
    await recordAttempts(world, [attempted(answered(next(), 200))]);
    expect(bySandbox()).toEqual({ by_sandbox: 0 });
    const response_headers: [string, string][] = [[SANDBOX_RECEIVER_HEADER, "1"]];
    await recordAttempts(world, [
      attempted(answered(next(second), 500, { response_headers })),
      attempted(answered(next(third), 500)),
    ]);
    expect(bySandbox()).toEqual({ by_sandbox: 1 });
  });

  it("pauses it visibly after exactly three days of failures", async () => {
    const { known, world, published, next } = setUp();
    const ids = known.queue("s", 2);
    await recordAttempts(world, [attempted(answered(next(), null, fail), NOW)]);
    await recordAttempts(world, [attempted(answered(next(ids[0]), 503), NOW + PAUSE_AFTER_MS - 1)]);
    expect(known.subscription("s")).toMatchObject({ paused_at: null, consecutive_failures: 2 });
    const before = world.stores.subscriptions.version;
    await recordAttempts(world, [attempted(answered(next(ids[1]), 503), NOW + PAUSE_AFTER_MS)]);
    expect(known.subscription("s")).toMatchObject({
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

  it("doesn't change who paused it, however long it fails", async () => {
    const { known, world, published, next } = setUp();
    const [second = ""] = known.queue("s");
    await recordAttempts(world, [attempted(answered(next(), 503), NOW)]);
    await world.write(() => world.stores.subscriptions.pause(known.subscription("s").seq, NOW + 1, "person"));
    await recordAttempts(world, [attempted(answered(next(second), 503), NOW + PAUSE_AFTER_MS)]);
    expect(known.subscription("s")).toMatchObject({ paused_at: NOW + 1, paused_by: "person" });
    expect(published.map(({ kind }) => kind)).toEqual(["delivery", "delivery"]);
  });

  it("doesn't pause it if the same batch contains an acknowledgement", async () => {
    const { known, world, next } = setUp();
    const [second = "", third = ""] = known.queue("s", 2);
    await recordAttempts(world, [attempted(answered(next(), 500), NOW)]);
    const late = NOW + 2 * PAUSE_AFTER_MS;
    await recordAttempts(world, [
      attempted(answered(next(second), 500), late),
      attempted(answered(next(third), 200), late + 1),
    ]);
    expect(known.subscription("s")).toMatchObject({ paused_at: null, failing_since: null, last_success_at: late + 1 });
  });
});
