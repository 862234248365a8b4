import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { Database } from "./database.ts";
import { type AttemptRecord, type EventRecord, OutboxStore, type Settlement, sideOfEvent } from "./outbox-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
const NOW = EPOCH + 60_000;
const none: ReadonlySet<string> = new Set();

const event: EventRecord = {
  id: "event",
  event_type: "repairer.procurements",
  event_timestamp: EPOCH + 1_500,
  organization_id: "buyer",
  payload: { procurement_id: "procurement", job_id: "job", status: "order_requested" },
  trace_id: "trace",
  job_id: "job",
  procurement_id: "procurement",
  label: "TRC-1-1",
  announces: "order_requested",
};
const attempt: AttemptRecord = {
  number: 1,
  started_at: NOW,
  duration_ms: 12.5,
  request_headers: [
    ["content-type", "application/json"],
    ["x", "ü"],
  ],
  request_body: Buffer.from([0, 255, 123, 10]),
  response_status: 503,
  response_headers: [
    ["set-cookie", "a"],
    ["set-cookie", "b"],
  ],
  response_body: Buffer.alloc(0),
  response_truncated: true,
  error: null,
};
const retry = (at: number): Settlement => ({ status: "pending", next_attempt_at: at, settled_at: null });
const delivered: Settlement = { status: "delivered", next_attempt_at: null, settled_at: NOW + 20 };

const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = EPOCH;
  const outbox = new OutboxStore(db);
  const event_seq = outbox.insertEvent(event);
  /** Queues a delivery; its id tells its subscription and its place. */
  const queue = (id: string, created_at = NOW): number => {
    const subscription_id = id.replace(/\d+$/, "");
    outbox.insertDelivery({
      id,
      event_seq,
      message_id: `message ${id}`,
      integration_id: "integration",
      subscription_id,
      url: `http://127.0.0.1/${subscription_id}`,
      created_at,
      repeats_id: null,
    });
    return outbox.delivery(id)?.seq ?? 0;
  };
  const due = (now = NOW, busy = none, limit = 100): string[] => outbox.due(now, busy, limit).map((one) => one.id);
  return { outbox, event_seq, queue, due };
};

describe("the outbox", () => {
  it("gives back a delivery with the event it carries", () => {
    const { outbox, event_seq, queue } = open();
    const seq = queue("a1");
    expect(outbox.delivery("a1")).toEqual({
      seq,
      id: "a1",
      event_seq,
      message_id: "message a1",
      integration_id: "integration",
      subscription_id: "a",
      url: "http://127.0.0.1/a",
      status: "pending",
      attempts_made: 0,
      next_attempt_at: NOW,
      last_status: null,
      last_error: null,
      created_at: NOW,
      settled_at: null,
      repeats_id: null,
      event,
      side: "repairer",
    });
    expect(outbox.delivery("a2")).toBeUndefined();
  });

  it("keeps every try byte for byte, and what came of the delivery", () => {
    const { outbox, queue } = open();
    const seq = queue("a1");
    outbox.recordAttempt(seq, attempt, retry(NOW + 5_000));
    expect(outbox.delivery("a1")).toMatchObject({
      status: "pending",
      attempts_made: 1,
      next_attempt_at: NOW + 5_000,
      last_status: 503,
      last_error: null,
      settled_at: null,
    });
    const second: AttemptRecord = {
      ...attempt,
      number: 2,
      response_status: null,
      response_headers: [],
      error: "connection refused",
      response_truncated: false,
    };
    outbox.recordAttempt(seq, second, { status: "failed", next_attempt_at: null, settled_at: NOW + 9 });
    expect(outbox.delivery("a1")).toMatchObject({
      status: "failed",
      attempts_made: 2,
      next_attempt_at: null,
      last_status: null,
      last_error: "connection refused",
      settled_at: NOW + 9,
    });
    expect(outbox.attempts(seq)).toEqual([attempt, second]);
    expect(outbox.attempts(seq + 1)).toEqual([]);
  });

  it("never keeps one try twice", () => {
    const { outbox, queue } = open();
    const seq = queue("a1");
    outbox.recordAttempt(seq, attempt, retry(NOW));
    expect(() => outbox.recordAttempt(seq, attempt, delivered)).toThrow(/UNIQUE/);
  });

  it("stands the supplier's event on the supplier's side and the others on the repairer's", () => {
    expect((["repairer.jobs", "repairer.procurements", "supplier.procurements"] as const).map(sideOfEvent)).toEqual([
      "repairer",
      "repairer",
      "supplier",
    ]);
  });
});

describe("what is due", () => {
  it("D73: is the first of each subscription, in the order of the events", () => {
    const { queue, due } = open();
    for (const id of ["b1", "a1", "b2", "a2", "c1"]) queue(id);
    expect(due()).toEqual(["b1", "a1", "c1"]);
  });

  it("D73: is nothing of a subscription that has a try under way", () => {
    const { queue, due } = open();
    for (const id of ["b1", "a1", "b2", "c1"]) queue(id);
    expect(due(NOW, new Set(["b"]))).toEqual(["a1", "c1"]);
    expect(due(NOW, new Set(["a", "b", "c"]))).toEqual([]);
  });

  it("is at most as many as there is room for, busy ones not counted", () => {
    const { queue, due } = open();
    for (const id of ["a1", "b1", "c1", "d1"]) queue(id);
    expect(due(NOW, new Set(["a"]), 2)).toEqual(["b1", "c1"]);
    expect(due(NOW, none, 0)).toEqual([]);
  });

  it("D73: is the next of a subscription while a failed one waits for its retry, and that one again when its time has come", () => {
    const { outbox, queue, due } = open();
    const first = queue("a1");
    const second = queue("a2");
    queue("a3");
    outbox.recordAttempt(first, attempt, retry(NOW + 5_000));
    expect(due()).toEqual(["a2"]);
    outbox.recordAttempt(second, { ...attempt, response_status: 200 }, delivered);
    expect(due()).toEqual(["a3"]);
    expect(due(NOW + 4_999)).toEqual(["a3"]);
    expect(due(NOW + 5_000)).toEqual(["a1"]);
  });

  it("is nothing that was delivered, has failed or lies ahead", () => {
    const { outbox, queue, due } = open();
    outbox.recordAttempt(queue("a1"), attempt, delivered);
    outbox.recordAttempt(queue("b1"), attempt, { status: "failed", next_attempt_at: null, settled_at: NOW });
    queue("c1", NOW + 1);
    expect(due()).toEqual([]);
    expect(due(NOW + 1)).toEqual(["c1"]);
  });

  it("comes next when the earliest pending one says so", () => {
    const { outbox, queue } = open();
    expect(outbox.nextDueAt()).toBeNull();
    const late = queue("a1", NOW + 9_000);
    const early = queue("b1", NOW + 4_000);
    expect(outbox.nextDueAt()).toBe(NOW + 4_000);
    outbox.recordAttempt(early, attempt, delivered);
    expect(outbox.nextDueAt()).toBe(NOW + 9_000);
    outbox.recordAttempt(late, attempt, delivered);
    expect(outbox.nextDueAt()).toBeNull();
  });
});
