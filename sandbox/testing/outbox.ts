import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { Database } from "../storage/database.ts";
import type { AttemptRecord, EventRecord, Outcome } from "../storage/delivery-records.ts";
import { OutboxStore } from "../storage/outbox-store.ts";
import { SubscriptionsStore } from "../storage/subscriptions-store.ts";

/** Creation time of an outbox's world, and a minute later. */
const EPOCH = 1_768_000_000_000;
export const NOW = EPOCH + 60_000;

export const event: EventRecord = {
  id: "event",
  event_type: "repairer.procurements",
  event_timestamp: EPOCH + 1_500,
  organization_id: "buyer",
  payload: { procurement_id: "procurement", job_id: "job", status: "order_requested" },
  trace_id: "trace",
  traceparent: null,
  job_id: "job",
  procurement_id: "procurement",
  label: "TRC-1-1",
  announces: "order_requested",
};
export const attempt: AttemptRecord = {
  number: 1,
  started_at: new Date(NOW).toISOString(),
  duration_ms: 12.5,
  request_headers: [
    ["content-type", "application/json"],
    ["x", "ü"],
  ],
  request_body_base64: Buffer.from([0, 255, 123, 10]).toString("base64"),
  response_status: 503,
  response_headers: [
    ["set-cookie", "a"],
    ["set-cookie", "b"],
  ],
  response_body_base64: "",
  response_truncated: true,
  error: null,
};
export const retryOutcome = (at: number): Outcome => ({ status: "pending", next_attempt_at: at, ended_at: null });
export const delivered: Outcome = { status: "delivered", next_attempt_at: null, ended_at: NOW + 20 };

/** Opens the outbox of a new world with one event to deliver. */
export const openOutbox = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
  const db = new Database(path.join(folder, "world.sqlite"), { durability: "off" });
  onTestFinished(() => {
    db.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  db.epoch = EPOCH;
  const outbox = new OutboxStore(db);
  const subscriptions = new SubscriptionsStore(db);
  const event_seq = outbox.insertEvent(event);
  const seqOf = (subscription_id: string): number => subscriptions.get(subscription_id)?.seq ?? 0;
  /** Queues a delivery; its ID consists of its subscription and its number. */
  const queue = (id: string, created_at = NOW): number => {
    const subscription_id = id.replace(/\d+$/, "");
    const integration_id = `integration of ${subscription_id}`;
    const url = `http://127.0.0.1/${subscription_id}`;
    subscriptions.insert({ id: subscription_id, integration_id, url, created_at: NOW });
    const message_id = `message ${id}`;
    return outbox.insertDelivery({ id, event_seq, message_id, subscription_id, created_at, repeats_id: null });
  };
  const record = (id: string, outcome: Outcome, changes: Partial<AttemptRecord> = {}) => {
    const delivery = outbox.delivery(id);
    return delivery ? outbox.recordAttempt(delivery, { ...attempt, ...changes }, outcome) : null;
  };
  const ids = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id);
  return { db, outbox, subscriptions, event_seq, queue, record, seqOf, ids };
};
