import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { Side } from "../contract/control/rows.ts";
import { CredentialsStore } from "./credentials-store.ts";
import { Database } from "./database.ts";
import type { AttemptRecord, Outcome } from "./delivery-records.ts";
import { OutboxStore } from "./outbox-store.ts";
import { SUBSCRIPTION_ENDED, SubscriptionsStore } from "./subscriptions-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
const attempt: AttemptRecord = {
  number: 1,
  started_at: new Date(EPOCH).toISOString(),
  duration_ms: 1,
  request_headers: [],
  request_body_base64: "",
  response_status: 200,
  response_headers: [],
  response_body_base64: "",
  response_truncated: false,
  error: null,
};

const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = EPOCH;
  const credentials = new CredentialsStore(db);
  const subscriptions = new SubscriptionsStore(db);
  return {
    db,
    subscriptions,
    outbox: new OutboxStore(db),
    install: (integration_id: string, organization_id: string, scope: Side): void =>
      credentials.insert({
        integration_id,
        api_key: "k",
        webhook_secret: "s",
        organization_id,
        scope,
        client_id: null,
        preloaded: false,
        created_at: EPOCH,
      }),
    subscribe: (id: string, integration_id: string, url = "http://127.0.0.1/"): boolean =>
      subscriptions.insert({ id, integration_id, url, created_at: EPOCH + 1_000 }),
  };
};

describe("the subscriptions store", () => {
  it("D71: stores several addresses of one integration, and the same one once", () => {
    const { subscriptions, subscribe } = open();
    expect([
      subscribe("1", "a"),
      subscribe("2", "a", "http://localhost/"),
      subscribe("3", "b"),
      subscribe("4", "a"),
    ]).toEqual([true, true, true, false]);
    expect(subscriptions.list()).toMatchObject([
      { id: "1", integration_id: "a", url: "http://127.0.0.1/", created_at: EPOCH + 1_000 },
      { id: "2", integration_id: "a", url: "http://localhost/", created_at: EPOCH + 1_000 },
      { id: "3", integration_id: "b", url: "http://127.0.0.1/", created_at: EPOCH + 1_000 },
    ]);
  });

  it("D70: lists recipients: the subscribed integrations of the organization on the event's side, in order", () => {
    const { subscriptions, install, subscribe } = open();
    install("a", "buyer", "repairer");
    install("b", "buyer", "repairer");
    install("other side", "buyer", "supplier");
    install("other organization", "seller", "repairer");
    install("without an address", "buyer", "repairer");
    for (const [id, integration] of [
      ["1", "b"],
      ["2", "other side"],
      ["3", "a"],
      ["4", "other organization"],
      ["5", "unknown integration"],
    ] as const)
      subscribe(id, integration);
    subscribe("6", "b", "http://localhost/");
    const found = (type: "repairer.jobs" | "repairer.procurements") =>
      subscriptions.recipients("buyer", type).map(({ id, integration_id, url }) => [id, integration_id, url]);
    expect(found("repairer.jobs")).toEqual([
      ["1", "b", "http://127.0.0.1/"],
      ["3", "a", "http://127.0.0.1/"],
      ["6", "b", "http://localhost/"],
    ]);
    subscriptions.setEventTypes(subscriptions.get("3")?.seq ?? 0, ["repairer.procurements"]);
    expect(found("repairer.jobs").map(([id]) => id)).toEqual(["1", "6"]);
    expect(found("repairer.procurements").map(([id]) => id)).toEqual(["1", "3", "6"]);
    expect(subscriptions.recipients("seller", "supplier.procurements")).toEqual([]);
  });

  it("on its end deletes unattempted deliveries, fails attempted ones, and keeps ended ones", () => {
    const { db, subscriptions, outbox, subscribe } = open();
    subscribe("1", "a");
    subscribe("2", "b");
    const event_seq = outbox.insertEvent(
      {
        id: "event",
        event_type: "repairer.jobs",
        event_timestamp: EPOCH,
        organization_id: "buyer",
        payload: { job_id: "j", change_action: "inserted" },
        trace_id: "t",
        traceparent: null,
        job_id: "j",
        procurement_id: null,
        label: "T-1",
        announces: "inserted",
      },
      5,
    );
    for (const [id, subscription_id] of [
      ["waiting", "1"],
      ["attempted", "1"],
      ["delivered", "1"],
      ["failed", "1"],
      ["neighbour", "2"],
    ] as const) {
      outbox.insertDelivery({
        id,
        event_seq,
        message_id: id,
        subscription_id,
        created_at: EPOCH,
        repeats_id: null,
      });
    }
    const record = (id: string, outcome: Outcome, changes: Partial<AttemptRecord> = {}): void => {
      const delivery = outbox.delivery(id);
      if (!delivery) throw new Error("the delivery is gone");
      outbox.recordAttempt(delivery, { ...attempt, ...changes }, outcome);
    };
    record("delivered", { status: "delivered", next_attempt_at: null, ended_at: EPOCH });
    record("failed", { status: "failed", next_attempt_at: null, ended_at: EPOCH }, { error: "connection refused" });
    for (const id of ["attempted", "neighbour"])
      record(id, { status: "pending", next_attempt_at: EPOCH + 5_000, ended_at: null }, { response_status: 503 });
    expect(subscriptions.get("1")).toMatchObject({ pending: 2, delivered: 1, failed: 1 });

    expect([subscriptions.end("1", EPOCH + 99), subscriptions.end("1")]).toEqual([true, false]);
    expect(subscriptions.list().map((one) => one.id)).toEqual(["2"]);
    const now = ["waiting", "attempted", "delivered", "failed", "neighbour"].map((id) => outbox.delivery(id));
    expect(now.map((one) => one?.status)).toEqual([undefined, "failed", "delivered", "failed", "pending"]);
    const attempted = outbox.delivery("attempted");
    expect(attempted).toMatchObject({
      attempts_made: 1,
      next_attempt_at: null,
      ended_at: new Date(EPOCH + 99).toISOString(),
      last_status: 503,
      last_error: SUBSCRIPTION_ENDED,
    });
    expect(attempted && outbox.attempts(attempted.seq)).toHaveLength(1);
    expect(outbox.delivery("failed")).toMatchObject({
      last_error: "connection refused",
      ended_at: new Date(EPOCH).toISOString(),
    });
    expect(db.all("SELECT id, pending, delivered, failed FROM subscriptions ORDER BY seq")).toEqual([
      { id: "1", pending: 0, delivered: 1, failed: 2 },
      { id: "2", pending: 1, delivered: 0, failed: 0 },
    ]);
    expect(db.get("SELECT deliveries FROM events")).toEqual({ deliveries: 4 });
  });

  it("stores the health of an address, and who paused it", () => {
    const { subscriptions, subscribe } = open();
    subscribe("1", "a");
    const known = subscriptions.get("1");
    expect(known).toEqual({
      by_sandbox: false,
      id: "1",
      integration_id: "a",
      url: "http://127.0.0.1/",
      created_at: EPOCH + 1_000,
      seq: 1,
      pending: 0,
      delivered: 0,
      failed: 0,
      last_success_at: null,
      failing_since: null,
      last_failure: null,
      consecutive_failures: 0,
      paused_at: null,
      paused_by: null,
      event_types: null,
    });
    const failing = {
      last_success_at: EPOCH + 5,
      failing_since: EPOCH + 9,
      last_failure: { delivery_id: "d", status: null, error: "connection refused" },
      consecutive_failures: 3,
    };
    subscriptions.setHealth(1, failing);
    subscriptions.pause(1, EPOCH + 10, "failures");
    expect(subscriptions.list()).toEqual([{ ...known, ...failing, paused_at: EPOCH + 10, paused_by: "failures" }]);
    const paused = subscriptions.get("1");
    if (paused) subscriptions.resume(paused);
    expect(subscriptions.get("1")).toEqual({ ...known, last_success_at: EPOCH + 5 });
    expect(subscriptions.get("2")).toBeUndefined();
  });

  it("changes its version when earlier reads may be stale", () => {
    const { subscriptions, subscribe } = open();
    const versions = [subscriptions.version];
    for (const change of [
      () => subscribe("1", "a"),
      () => subscriptions.pause(1, EPOCH, "person"),
      () => subscriptions.resume({ seq: 1, last_success_at: null }),
      () => subscriptions.end("1"),
      () => subscriptions.clearCache(),
    ]) {
      change();
      versions.push(subscriptions.version);
    }
    expect(new Set(versions).size).toBe(versions.length);
    subscriptions.list();
    subscriptions.list();
    expect(subscriptions.version).toBe(versions.at(-1));
  });
});
