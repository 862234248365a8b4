import { describe, expect, it } from "vitest";
import { attempt, delivered, event, NOW, openOutbox as open, retryOutcome } from "../testing/outbox.ts";
import type { AttemptRecord } from "./delivery-records.ts";

describe("the outbox", () => {
  it("returns a delivery with its event", () => {
    const { outbox, event_seq, queue } = open();
    const seq = queue("a1");
    const { event_timestamp, payload, trace_id, traceparent, job_id, procurement_id, label, announces, event_type } =
      event;
    const at = new Date(NOW).toISOString();
    expect(outbox.delivery("a1")).toEqual({
      id: "a1",
      event_seq,
      message_id: "message a1",
      integration_id: "integration of a",
      subscription_id: "a",
      url: "http://127.0.0.1/a",
      created_at: at,
      repeats_id: null,
      seq,
      status: "pending",
      attempts_made: 0,
      next_attempt_at: at,
      last_status: null,
      last_error: null,
      ended_at: null,
      event_id: event.id,
      ...{ event_timestamp, payload, trace_id, traceparent, job_id, procurement_id, label, announces, event_type },
      side: "repairer",
    });
    expect(outbox.delivery("a2")).toBeUndefined();
  });

  it("stores every attempt byte for byte, and the delivery's result", () => {
    const { outbox, queue, record } = open();
    const seq = queue("a1");
    const waiting = record("a1", retryOutcome(NOW + 5_000));
    expect(waiting).toMatchObject({
      status: "pending",
      attempts_made: 1,
      next_attempt_at: new Date(NOW + 5_000).toISOString(),
      last_status: 503,
      last_error: null,
      ended_at: null,
    });
    expect(outbox.delivery("a1")).toEqual(waiting);
    const second: AttemptRecord = {
      ...attempt,
      number: 2,
      response_status: null,
      response_headers: [],
      error: "connection refused",
      response_truncated: false,
    };
    const failed = record("a1", { status: "failed", next_attempt_at: null, ended_at: NOW + 9 }, second);
    expect(failed).toMatchObject({
      status: "failed",
      attempts_made: 2,
      next_attempt_at: null,
      last_status: null,
      last_error: "connection refused",
      ended_at: new Date(NOW + 9).toISOString(),
    });
    expect(outbox.delivery("a1")).toEqual(failed);
    expect(outbox.attempts(seq)).toEqual([attempt, second]);
    expect(outbox.attempts(seq + 1)).toEqual([]);
  });

  it("stores no attempt twice, and none of an ended delivery", () => {
    const { outbox, queue, record } = open();
    queue("b1");
    record("b1", retryOutcome(NOW));
    expect(() => record("b1", delivered)).toThrow(/UNIQUE/);
    const seq = queue("a1");
    const known = outbox.delivery("a1");
    record("a1", delivered);
    expect(known && outbox.recordAttempt(known, { ...attempt, number: 2 }, retryOutcome(NOW))).toBeNull();
    expect([outbox.delivery("a1")?.status, outbox.attempts(seq).length]).toEqual(["delivered", 1]);
  });

  it("never reuses a number, so that an attempt can't be stored for another delivery", () => {
    const { outbox, subscriptions, queue } = open();
    const first = queue("a1");
    const known = outbox.delivery("a1");
    subscriptions.end("a");
    expect(queue("b1")).toBe(first + 1);
    expect(known && outbox.recordAttempt(known, attempt, delivered)).toBeNull();
    expect(outbox.delivery("b1")?.status).toBe("pending");
  });

  it("queues a redelivery as a new delivery that names the original", () => {
    const { db, outbox, queue, record } = open();
    queue("a1");
    record("a1", delivered, { response_status: 200 });
    const original = outbox.delivery("a1");
    if (!original) throw new Error("the delivery is gone");
    const again = outbox.insertRepeat(original, "again", NOW + 99);
    expect(again).toMatchObject({ id: "again", repeats_id: "a1", message_id: "message a1", status: "pending" });
    expect(outbox.delivery("again")).toEqual(again);
    expect(db.get("SELECT deliveries FROM events")).toEqual({ deliveries: 1 });
  });

  it("lists touched subscriptions once", () => {
    const { outbox, queue } = open();
    for (const id of ["a1", "b1", "a2"]) queue(id);
    expect([[...outbox.clearTouched()], [...outbox.clearTouched()]]).toEqual([["a", "b"], []]);
  });
});

describe("the pending deliveries of a subscription", () => {
  it("D73: are the unattempted ones and due retries, in the order of events", () => {
    const { outbox, queue, record, seqOf } = open();
    for (const id of ["b1", "a1", "a2", "b2", "a3", "a4"]) queue(id);
    record("a1", retryOutcome(NOW + 5_000));
    record("a2", retryOutcome(NOW + 1_000));
    record("a3", retryOutcome(NOW + 9_000));
    const subscription = seqOf("a");
    const due = (after: number, limit = 9) =>
      outbox.due(subscription, NOW + after, limit).map((seq) => outbox.at(seq)?.id);
    expect([due(0), due(1_000), due(5_000)]).toEqual([["a4"], ["a2", "a4"], ["a1", "a2", "a4"]]);
    expect(due(9_000, 1)).toEqual(["a2", "a4"]);
    expect([
      outbox.nextRetryAt(subscription),
      outbox.nextRetryAt(subscription, NOW + 5_000),
      outbox.nextRetryAt(subscription, NOW + 9_000),
    ]).toEqual([NOW + 1_000, NOW + 9_000, null]);
  });

  it("exclude delivered and failed ones", () => {
    const { outbox, queue, record, seqOf } = open();
    for (const id of ["a1", "a2"]) queue(id);
    record("a1", delivered);
    record("a2", { status: "failed", next_attempt_at: null, ended_at: NOW });
    const subscription = seqOf("a");
    expect([outbox.due(subscription, NOW * 2, 9), outbox.dueAt(subscription)]).toEqual([[], null]);
    expect([outbox.nextRetryAt(subscription), outbox.nextDueAt()]).toEqual([null, null]);
  });

  it("are next due at the earliest time, without paused ones", () => {
    const { outbox, subscriptions, queue, record, seqOf } = open();
    expect(outbox.nextDueAt()).toBeNull();
    queue("a1", NOW + 9_000);
    queue("b1", NOW + 4_000);
    expect(outbox.nextDueAt()).toBe(NOW + 4_000);
    record("b1", retryOutcome(NOW + 7_000));
    expect(outbox.nextDueAt()).toBe(NOW + 7_000);
    subscriptions.pause(seqOf("b"), NOW, "person");
    expect(outbox.nextDueAt()).toBe(NOW + 9_000);
    const paused = subscriptions.get("b");
    if (paused) subscriptions.resume(paused);
    record("b1", delivered, { number: 2 });
    expect(outbox.nextDueAt()).toBe(NOW + 9_000);
    record("a1", delivered);
    expect(outbox.nextDueAt()).toBeNull();
  });
});

describe("the results of a subscription's deliveries", () => {
  it("list the newest ended ones, with the result of the first attempt", () => {
    const { outbox, queue, record, seqOf } = open();
    for (const id of ["a1", "a2", "a3", "b1"]) queue(id);
    record("a1", delivered, { response_status: 200 });
    record("a2", retryOutcome(NOW + 10), { response_status: null, error: "connection refused" });
    record("a2", delivered, { number: 2, response_status: 200, started_at: new Date(NOW + 10).toISOString() });
    record("a3", retryOutcome(NOW + 10));
    record("b1", delivered);
    expect(outbox.listLastEnded(seqOf("a"), 9)).toEqual([
      {
        ...{ id: "a2", delivered: true, attempts_made: 2, took_ms: 20 },
        ...{ first_status: null, first_error: "connection refused" },
      },
      { id: "a1", delivered: true, attempts_made: 1, took_ms: 20, first_status: 200, first_error: null },
    ]);
    expect(outbox.listLastEnded(seqOf("a"), 1).map(({ id }) => id)).toEqual(["a2"]);
  });

  it("count attempts to the same address that ended while one waited", () => {
    const { outbox, queue, record } = open();
    for (const id of ["a1", "a2", "a3", "b1"]) queue(id);
    const at = (ms: number) => ({ started_at: new Date(NOW + ms).toISOString(), duration_ms: 10_000 });
    const silent = { response_status: null, error: "no response within 10 s" };
    record("a1", retryOutcome(NOW + 60_000), { ...at(0), ...silent });
    record("b1", retryOutcome(NOW + 60_000), { ...at(0), ...silent });
    record("a2", retryOutcome(NOW + 60_000), { ...at(10_000), response_status: 503 });
    record("a3", delivered, { ...at(20_000), response_status: 200 });
    const last = outbox.delivery("a3");
    expect(last && outbox.countEndedBefore(last, 1, NOW)).toEqual({ attempts: 2, unanswered: 1 });
    expect(last && outbox.countEndedBefore(last, 1, NOW + 15_000)).toEqual({ attempts: 1, unanswered: 0 });
  });
});
