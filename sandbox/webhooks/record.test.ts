import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { LiveEntry } from "../contract/live.ts";
import { Database } from "../storage/database.ts";
import { World } from "../worlds/world.ts";
import { prepare } from "./prepare.ts";
import { record, settlementOf } from "./record.ts";
import type { Sent } from "./send.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const NOW = 1_768_000_000_000;
const setUp = () => {
  const published: LiveEntry[] = [];
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  const world = new World("team", db, { published: (_, entries) => void published.push(...entries) });
  onTestFinished(() => world.close());
  const { outbox, subscriptions } = world.stores;
  const event_seq = outbox.insertEvent({
    id: "event",
    event_type: "repairer.jobs",
    event_timestamp: NOW,
    organization_id: "o",
    payload: { job_id: "job", change_action: "inserted" },
    trace_id: "trace",
    job_id: "job",
    procurement_id: null,
    label: "T-1",
    announces: "inserted",
  });
  subscriptions.insert({ id: "s", integration_id: "i", url: "http://127.0.0.1/", created_at: NOW });
  outbox.insertDelivery({
    id: "d",
    event_seq,
    message_id: "m",
    integration_id: "i",
    subscription_id: "s",
    url: "http://127.0.0.1/",
    created_at: NOW,
    repeats_id: null,
  });
  const next = () => {
    const delivery = outbox.delivery("d");
    if (!delivery) throw new Error("the delivery is gone");
    return prepare(delivery, "pwh_secret", NOW + 5);
  };
  return { world, published, next };
};
const answered = (prepared: Sent["prepared"], status: number | null, more: Partial<Sent> = {}): Sent => ({
  prepared,
  durationMs: 1.5,
  status,
  headers: [["content-type", "text/plain"]],
  body: Buffer.from([0xff, 0]),
  truncated: false,
  error: null,
  ...more,
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
});

describe("recording a try", () => {
  it("keeps it byte for byte, settles the delivery and tells the world's log", async () => {
    const { world, published, next } = setUp();
    const first = next();
    await record(world, answered(first, null, { headers: [], body: Buffer.alloc(0), error: "connection refused" }));
    expect(world.stores.outbox.delivery("d")).toMatchObject({
      status: "pending",
      attempts_made: 1,
      last_status: null,
      last_error: "connection refused",
      settled_at: null,
    });
    const second = next();
    await record(world, answered(second, 200, { truncated: true }));
    expect(world.stores.outbox.delivery("d")).toMatchObject({
      status: "delivered",
      attempts_made: 2,
      last_status: 200,
      last_error: null,
      next_attempt_at: null,
    });
    expect(world.stores.outbox.attempts(second.delivery.seq)).toEqual([
      expect.objectContaining({
        number: 1,
        request_body: first.body,
        response_status: null,
        error: "connection refused",
        response_truncated: false,
      }),
      expect.objectContaining({
        number: 2,
        started_at: NOW + 5,
        duration_ms: 1.5,
        request_body: second.body,
        request_headers: second.headers.map(([name, value]) => [name, value]),
        response_status: 200,
        response_headers: [["content-type", "text/plain"]],
        response_body: Buffer.from([0xff, 0]),
        response_truncated: true,
      }),
    ]);
    expect(
      published.map((entry) => [
        entry.kind,
        entry.trace_id,
        entry.kind === "delivery" && [entry.data.status, entry.data.attempts_made],
      ]),
    ).toEqual([
      ["delivery", "trace", ["pending", 1]],
      ["delivery", "trace", ["delivered", 2]],
    ]);
  });

  it("follows the retries the world's switch says", async () => {
    const { world, next } = setUp();
    await world.write(() => world.stores.meta.setPolicy("webhook_retries", "none"));
    world.reread();
    await record(world, answered(next(), 500));
    expect(world.stores.outbox.delivery("d")?.status).toBe("failed");
  });

  it("settles nothing when the subscription ended meanwhile", async () => {
    const { world, published, next } = setUp();
    const sent = answered(next(), 200);
    await world.write(() => world.stores.subscriptions.delete("s"));
    await record(world, sent);
    expect([
      world.stores.outbox.delivery("d"),
      world.stores.outbox.attempts(sent.prepared.delivery.seq),
      published,
    ]).toEqual([undefined, [], []]);
  });
});
