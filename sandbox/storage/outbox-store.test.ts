import { describe, expect, it } from "vitest";
import { attempt, delivered, event, NOW, openOutbox as open, retry } from "../testing/outbox.ts";
import { type AttemptRecord, newDeliveryRecord, sideOfEvent } from "./delivery-records.ts";
import { SUBSCRIPTION_ENDED } from "./ended-deliveries.ts";

describe("the outbox", () => {
  it("gives back a delivery with the event it carries, as whoever queued it knows it", () => {
    const { outbox, event_seq, queue } = open();
    const seq = queue("a1");
    const delivery = {
      id: "a1",
      event_seq,
      message_id: "message a1",
      integration_id: "integration of a",
      subscription_id: "a",
      url: "http://127.0.0.1/a",
      created_at: NOW,
      repeats_id: null,
    };
    expect(outbox.delivery("a1")).toEqual({
      ...delivery,
      seq,
      status: "pending",
      attempts_made: 0,
      lost_tries: 0,
      next_attempt_at: NOW,
      last_status: null,
      last_error: null,
      settled_at: null,
      event,
      side: "repairer",
    });
    expect(newDeliveryRecord(seq, delivery, event)).toEqual(outbox.delivery("a1"));
    expect(outbox.delivery("a2")).toBeUndefined();
  });

  it("keeps every try byte for byte, and what came of the delivery", () => {
    const { outbox, queue, settle } = open();
    const seq = queue("a1");
    const waiting = settle("a1", retry(NOW + 5_000));
    expect(waiting).toMatchObject({
      status: "pending",
      attempts_made: 1,
      next_attempt_at: NOW + 5_000,
      last_status: 503,
      last_error: null,
      settled_at: null,
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
    const failed = settle("a1", { status: "failed", next_attempt_at: null, settled_at: NOW + 9 }, second);
    expect(failed).toMatchObject({
      status: "failed",
      attempts_made: 2,
      next_attempt_at: null,
      last_status: null,
      last_error: "connection refused",
      settled_at: NOW + 9,
    });
    expect(outbox.delivery("a1")).toEqual(failed);
    expect(outbox.attempts(seq)).toEqual([attempt, second]);
    expect(outbox.attempts(seq + 1)).toEqual([]);
  });

  it("never keeps one try twice, and none of a delivery that is settled", () => {
    const { outbox, queue, settle } = open();
    queue("b1");
    settle("b1", retry(NOW));
    expect(() => settle("b1", delivered)).toThrow(/UNIQUE/);
    const seq = queue("a1");
    const known = outbox.delivery("a1");
    settle("a1", delivered);
    expect(known && outbox.settle(known, { ...attempt, number: 2 }, retry(NOW))).toBeNull();
    expect([outbox.delivery("a1")?.status, outbox.attempts(seq).length]).toEqual(["delivered", 1]);
  });

  describe("a try that ended after its subscription", () => {
    const ended = () => {
      const known = open();
      const { db, outbox, subscriptions, queue, settle } = known;
      const seqs = [queue("a1"), queue("a2")];
      db.run("UPDATE events SET deliveries = 2");
      settle("a1", retry(NOW));
      const [tried, untried] = [outbox.delivery("a1"), outbox.delivery("a2")];
      if (!tried || !untried) throw new Error("the deliveries are gone");
      subscriptions.delete("a", NOW + 5);
      const counts = () => [
        db.get("SELECT pending, delivered, failed FROM lanes"),
        db.get("SELECT deliveries FROM events"),
      ];
      return { ...known, seqs, tried, untried, counts };
    };

    it("is kept with it: what was acknowledged is delivered, whether it was tried before or not", () => {
      const { outbox, seqs, tried, untried, counts } = ended();
      expect(counts()).toEqual([{ pending: 0, delivered: 0, failed: 1 }, { deliveries: 1 }]);
      expect(outbox.settle(tried, { ...attempt, number: 2 }, delivered)).toMatchObject({
        status: "delivered",
        attempts_made: 2,
        last_error: null,
      });
      expect(outbox.settle(untried, attempt, delivered)).toMatchObject({ id: "a2", status: "delivered" });
      expect(outbox.delivery("a2")).toEqual({
        ...untried,
        ...{ ...delivered, attempts_made: 1, last_status: attempt.response_status },
      });
      expect(seqs.map((seq) => outbox.attempts(seq).length)).toEqual([2, 1]);
      expect(counts()).toEqual([{ pending: 0, delivered: 2, failed: 0 }, { deliveries: 2 }]);
    });

    it("is kept with it: what was not acknowledged is given up, because nothing is tried again", () => {
      const { outbox, seqs, tried, untried, counts } = ended();
      const given = { status: "failed", next_attempt_at: null, last_error: SUBSCRIPTION_ENDED } as const;
      const second = { ...attempt, number: 2, error: "timed out" };
      expect(outbox.settle(tried, second, retry(NOW + 99))).toMatchObject({ ...given, attempts_made: 2 });
      expect(outbox.settle(untried, attempt, retry(NOW + 99))).toMatchObject({ ...given, last_status: 503 });
      expect(outbox.delivery("a1")).toMatchObject({ ...given, settled_at: expect.any(Number) });
      expect(outbox.attempts(seqs[0] ?? 0).at(-1)).toEqual(second);
      expect(counts()).toEqual([{ pending: 0, delivered: 0, failed: 2 }, { deliveries: 2 }]);
    });

    it("is nothing where the event is no longer kept", () => {
      const { db, outbox, untried } = ended();
      db.run("DELETE FROM events");
      expect(outbox.settle(untried, attempt, delivered)).toBeNull();
      expect(outbox.delivery("a2")).toBeUndefined();
    });
  });

  it("never gives a place twice, so that a try under way cannot be taken for another delivery's", () => {
    const { outbox, subscriptions, queue } = open();
    const first = queue("a1");
    const known = outbox.delivery("a1");
    subscriptions.delete("a");
    expect(queue("b1")).toBe(first + 1);
    expect(known && outbox.settle(known, attempt, delivered)).toMatchObject({ id: "a1", seq: first });
    expect(outbox.delivery("b1")?.status).toBe("pending");
  });

  it("queues a repeat as a delivery of its own that names the one it repeats", () => {
    const { db, outbox, queue, settle } = open();
    queue("a1");
    settle("a1", delivered, { response_status: 200 });
    const original = outbox.delivery("a1");
    if (!original) throw new Error("the delivery is gone");
    const again = outbox.insertRepeat(original, "again", NOW + 99);
    expect(again).toMatchObject({ id: "again", repeats_id: "a1", message_id: "message a1", status: "pending" });
    expect(outbox.delivery("again")).toEqual(again);
    expect(db.get("SELECT deliveries FROM events")).toEqual({ deliveries: 1 });
  });

  it("says once which subscriptions were given something", () => {
    const { outbox, queue } = open();
    for (const id of ["a1", "b1", "a2"]) queue(id);
    expect([[...outbox.takeTouched()], [...outbox.takeTouched()]]).toEqual([["a", "b"], []]);
  });

  it("stands the supplier's event on the supplier's side and the others on the repairer's", () => {
    expect((["repairer.jobs", "repairer.procurements", "supplier.procurements"] as const).map(sideOfEvent)).toEqual([
      "repairer",
      "repairer",
      "supplier",
    ]);
  });
});

describe("what waits for a subscription", () => {
  it("D73: is what was never tried in the order of the events, page by page", () => {
    const { outbox, queue, laneOf, ids } = open();
    for (const id of ["b1", "a1", "b2", "a2", "b3"]) queue(id);
    const first = outbox.untried(laneOf("b"), 0, 2);
    expect(ids(first)).toEqual(["b1", "b2"]);
    expect(ids(outbox.untried(laneOf("b"), first[1]?.seq ?? 0, 2))).toEqual(["b3"]);
    expect(ids(outbox.untried(laneOf("a"), 0, 9))).toEqual(["a1", "a2"]);
  });

  it("D73: is what is due again in the order of the events, and what was never tried apart from it", () => {
    const { outbox, queue, settle, laneOf, ids } = open();
    for (const id of ["a1", "a2", "a3", "a4"]) queue(id);
    settle("a1", retry(NOW + 5_000));
    settle("a2", retry(NOW + 1_000));
    settle("a3", retry(NOW + 9_000));
    const lane = laneOf("a");
    expect(ids(outbox.untried(lane, 0, 9))).toEqual(["a4"]);
    expect([0, 1_000, 5_000].map((after) => ids(outbox.dueAgain(lane, NOW + after, 9)))).toEqual([
      [],
      ["a2"],
      ["a1", "a2"],
    ]);
    expect(ids(outbox.dueAgain(lane, NOW + 9_000, 1))).toEqual(["a2"]);
    expect([
      outbox.nextRetryAt(lane),
      outbox.nextRetryAt(lane, NOW + 5_000),
      outbox.nextRetryAt(lane, NOW + 9_000),
    ]).toEqual([NOW + 1_000, NOW + 9_000, null]);
  });

  it("is nothing that was delivered or has failed", () => {
    const { outbox, queue, settle, laneOf } = open();
    for (const id of ["a1", "a2"]) queue(id);
    settle("a1", delivered);
    settle("a2", { status: "failed", next_attempt_at: null, settled_at: NOW });
    const lane = laneOf("a");
    expect([outbox.untried(lane, 0, 9), outbox.dueAgain(lane, NOW * 2, 9), outbox.untriedSince(lane)]).toEqual([
      [],
      [],
      null,
    ]);
    expect([outbox.nextRetryAt(lane), outbox.nextDueAt()]).toEqual([null, null]);
  });

  it("comes next when the earliest says so that may be sent", () => {
    const { outbox, subscriptions, queue, settle, laneOf } = open();
    expect(outbox.nextDueAt()).toBeNull();
    queue("a1", NOW + 9_000);
    queue("b1", NOW + 4_000);
    expect(outbox.nextDueAt()).toBe(NOW + 4_000);
    settle("b1", retry(NOW + 7_000));
    expect(outbox.nextDueAt()).toBe(NOW + 7_000);
    subscriptions.pause(laneOf("b"), NOW, "person");
    expect(outbox.nextDueAt()).toBe(NOW + 9_000);
    subscriptions.resume(laneOf("b"));
    settle("b1", delivered, { number: 2 });
    expect(outbox.nextDueAt()).toBe(NOW + 9_000);
    settle("a1", delivered);
    expect(outbox.nextDueAt()).toBeNull();
  });
});
