import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { DrillExchange } from "../contract/control/receiver-rows.ts";
import type { DrillName } from "../contract/drill-names.ts";
import { Database } from "./database.ts";
import { type DrillRecord, DrillsStore } from "./drills-store.ts";
import { OutboxStore } from "./outbox-store.ts";
import { SubscriptionsStore } from "./subscriptions-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const NOW = 1_768_000_000_000;

const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = NOW - 1_000;
  const outbox = new OutboxStore(db);
  const store = new DrillsStore(db);
  const subscriptions = new SubscriptionsStore(db);
  /** A delivery of an event to a subscription. @returns its id and place */
  const deliver = (id: string, subscription_id: string, job_id: string, event_seq = newEvent(outbox, id, job_id)) => {
    subscriptions.insert({
      id: subscription_id,
      integration_id: "a",
      url: `http://127.0.0.1/${subscription_id}`,
      created_at: NOW,
    });
    outbox.insertDelivery({
      id,
      event_seq,
      message_id: id,
      integration_id: "a",
      subscription_id,
      url: "http://127.0.0.1/",
      created_at: NOW,
      repeats_id: null,
    });
    const { seq } = outbox.delivery(id) ?? { seq: 0 };
    return { seq, event_seq, subscription_id, job_id };
  };
  return { db, outbox, store, subscriptions, deliver };
};

const newEvent = (outbox: OutboxStore, id: string, job_id: string): number =>
  outbox.insertEvent({
    id: `event of ${id}`,
    event_type: "repairer.jobs",
    event_timestamp: NOW,
    organization_id: "o",
    payload: { job_id, change_action: "inserted" },
    trace_id: "t",
    job_id,
    procurement_id: null,
    label: "T-1",
    announces: "inserted",
  });

const exchange: DrillExchange = {
  what: "the notification",
  sent_at: new Date(NOW).toISOString(),
  duration_ms: 1.5,
  request_headers: [["content-type", "application/json"]],
  request_body_base64: "e30=",
  response_status: 200,
  response_headers: [],
  response_body_base64: "",
  response_truncated: false,
  error: null,
  verification: [],
  verdict: "passed",
  sentence: "As it must.",
};
const drill = (
  id: string,
  name: DrillName,
  subscription_id = "s",
  verdict: "passed" | "failed" = "passed",
): DrillRecord => ({
  id,
  drill: name,
  verdict,
  sentence: "As it must.",
  at: new Date(NOW).toISOString(),
  delivery_id: "d",
  subscription_id,
  integration_id: "a",
  side: "repairer",
  url: "http://127.0.0.1/",
  event_type: "repairer.jobs",
  label: "T-1",
  trace_id: "t",
  exchanges: [exchange],
});

describe("what drills found", () => {
  it("is kept with what went over the wire, and what a correct receiver would have answered", () => {
    const { store } = open();
    store.insert(drill("1", "stale"));
    expect(store.get("1")).toEqual({
      ...drill("1", "stale"),
      expected: { answer: "refuse", status: 400, reason: "stale_timestamp" },
    });
    expect(store.get("other")).toBeUndefined();
  });

  it("is the newest result of each drill, subscription by subscription", () => {
    const { store } = open();
    store.insert(drill("1", "stale", "s", "failed"));
    store.insert(drill("2", "future"));
    store.insert(drill("3", "stale"));
    store.insert(drill("4", "stale", "other", "failed"));
    expect(store.latest("s", "stale")).toMatchObject({ id: "3", verdict: "passed" });
    expect(store.latest("s", "stale")).not.toHaveProperty("exchanges");
    expect(store.latest("other", "stale")).toMatchObject({ id: "4" });
    expect(store.latest("s", "duplicate")).toBeNull();
  });

  it("is bounded: the newest ten of each drill and subscription", () => {
    const { store } = open();
    store.insert(drill("neighbour", "stale", "other"));
    store.insert(drill("other drill", "future"));
    for (let index = 1; index <= 25; index += 1) store.insert(drill(`${index}`, "stale"));
    const kept = ["15", "16", "25", "neighbour", "other drill"].map((id) => store.get(id)?.id);
    expect(kept).toEqual([undefined, "16", "25", "neighbour", "other drill"]);
  });

  it("ends with its subscription", () => {
    const { store, subscriptions } = open();
    subscriptions.insert({ id: "s", integration_id: "a", url: "http://127.0.0.1/", created_at: NOW });
    store.insert(drill("1", "stale"));
    store.insert(drill("2", "stale", "other"));
    subscriptions.end("s");
    expect([store.get("1"), store.get("2")?.id]).toEqual([undefined, "2"]);
  });
});

describe("what drills are made from", () => {
  it("is the newest delivery of a subscription, whatever became of it", () => {
    const { store, deliver } = open();
    deliver("1", "s", "job");
    deliver("2", "s", "job");
    deliver("3", "other", "job");
    expect([store.newestDelivery("s"), store.newestDelivery("other"), store.newestDelivery("none")]).toEqual([
      "2",
      "3",
      null,
    ]);
  });

  it("is another event of the same subscription beside it: the last before it, about the same job if there is one", () => {
    const { store, deliver } = open();
    deliver("other subscription", "other", "job");
    deliver("same job, long before", "s", "job");
    deliver("same job", "s", "job");
    deliver("just before", "s", "another job");
    const given = deliver("given", "s", "job");
    deliver("after", "s", "job");
    expect(store.neighbour(given)).toBe("same job");
    expect(store.neighbour({ ...given, job_id: "third job" })).toBe("just before");
  });

  it("is the first one after it where there is none before, and never the same event sent again", () => {
    const { store, deliver } = open();
    const given = deliver("given", "s", "job");
    expect(store.neighbour(given)).toBeNull();
    deliver("again", "s", "job", given.event_seq);
    expect(store.neighbour(given)).toBeNull();
    deliver("after", "s", "another job");
    deliver("long after", "s", "another job");
    expect(store.neighbour(given)).toBe("after");
  });
});
