import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { newId } from "../new-id.ts";
import { queueEvent } from "../operations/emit.ts";
import { behind } from "../storage/behind.ts";
import { Database } from "../storage/database.ts";
import type { AttemptRecord } from "../storage/delivery-records.ts";
import { type RecordStream, recordStreams } from "../storage/kept-records.ts";
import { Retention } from "../worlds/retention.ts";
import { World } from "../worlds/world.ts";
import { exchangeRecord } from "./exchanges.ts";
import { temporaryFolder } from "./harness.ts";

const INTEGRATION = "5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f";
const ORGANIZATION = "organization";

const attempt = (response: Buffer): AttemptRecord => ({
  number: 1,
  started_at: Date.now(),
  duration_ms: 1,
  request_headers: [],
  request_body: Buffer.from("{}"),
  response_status: 200,
  response_headers: [],
  response_body: response,
  response_truncated: false,
  error: null,
});

/** What is kept of one call, by the trace it belongs to. */
export interface KeptOfTrace {
  readonly request: boolean;
  readonly log: number;
  readonly events: number;
  readonly deliveries: number;
  readonly attempts: number;
}

/** A world in which calls are made, told and delivered, without a service around it: as fast as the file takes it. */
export class BusyWorld {
  readonly file: string;
  readonly world: World;
  readonly retention: Retention;

  constructor() {
    const folder = temporaryFolder();
    this.file = path.join(folder, "world.sqlite");
    const db = new Database(this.file, { durability: "off" });
    db.epoch = Date.now();
    this.world = new World("team", db, {
      published: () => undefined,
      watched: () => false,
      troubled: (error) => expect.unreachable(String(error)),
    });
    onTestFinished(() => {
      this.world.close();
      fs.rmSync(folder, { recursive: true, force: true });
    });
    this.world.stores.credentials.insert({
      ...{ integration_id: INTEGRATION, api_key: "sbx_key", webhook_secret: "pwh_secret", client_id: null },
      ...{ organization_id: ORGANIZATION, scope: "repairer", preloaded: false, created_at: Date.now() },
    });
    this.retention = new Retention(this.world.stores, () => db.writes);
  }

  subscribe(id: string): void {
    const row = { id, integration_id: INTEGRATION, url: `http://127.0.0.1/${id}`, created_at: Date.now() };
    this.world.stores.subscriptions.insert(row);
  }

  /** A call that changes something, tells it, and is answered. @param bytes how long what it was sent is @returns its trace */
  async call(bytes = 100): Promise<string> {
    const { world } = this;
    const trace = newId();
    await world.write((append) => {
      append("state", trace, {
        ...{ entity: "job", id: trace, label: "T-1", change: "inserted", job_id: trace },
        ...{ before: null, after: { note: "x".repeat(bytes) } },
      });
      queueEvent(world, append, trace, {
        event_type: "repairer.jobs",
        organization_id: ORGANIZATION,
        payload: { job_id: trace, change_action: "inserted" },
        job_id: trace,
        procurement_id: null,
        label: "T-1",
        announces: "inserted",
      });
    });
    await this.read(trace, bytes);
    return trace;
  }

  /** A call that changes nothing. @returns its trace */
  async read(trace = newId(), bytes = 100): Promise<string> {
    const { requests, log } = this.world.stores;
    const exchange = exchangeRecord(trace, { seq: log.take(), at: Date.now(), request_body: Buffer.alloc(bytes) });
    await this.world.writeBehind(() => requests.insert(exchange));
    return trace;
  }

  /** Acknowledges what waits for a subscription, oldest first. @param bytes how much the receiver answers */
  async deliver(subscriptionId: string, most = Number.MAX_SAFE_INTEGER, bytes = 100): Promise<void> {
    const { outbox, subscriptions } = this.world.stores;
    const lane = subscriptions.standing(subscriptionId)?.lane ?? 0;
    const now = Date.now();
    for (let left = most; left > 0; ) {
      const some = outbox.untried(lane, 0, Math.min(left, 500));
      if (some.length === 0) return;
      left -= some.length;
      await this.world.write(() => {
        for (const delivery of some)
          outbox.settle(delivery, attempt(Buffer.alloc(bytes)), {
            ...{ status: "delivered", next_attempt_at: null, settled_at: now },
          });
      });
    }
  }

  /** Does all that is to be done. @returns in how many steps */
  forget(): number {
    let steps = 0;
    const work = this.retention.work(Date.now());
    for (let more = true; more; steps += 1) {
      behind(this.world.db, () => {
        more = work.next().done !== true;
      });
    }
    return steps;
  }

  count(table: RecordStream | "attempts" | "lanes"): number {
    return this.world.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
  }

  counts(): Record<RecordStream, number> {
    return Object.fromEntries(recordStreams.map((stream) => [stream, this.count(stream)])) as Record<
      RecordStream,
      number
    >;
  }

  kept(trace: string): KeptOfTrace {
    const { log, requests } = this.world.stores;
    const count = (from: string): number =>
      this.world.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${from} WHERE e.trace_id = ?`, trace)?.n ?? 0;
    const deliveries = "deliveries d JOIN events e ON e.seq = d.event_seq";
    return {
      request: requests.ofTrace(trace) !== undefined,
      log: log.ofTrace(trace).length,
      events: count("events e"),
      deliveries: count(deliveries),
      attempts: count("attempts a JOIN deliveries d ON d.seq = a.place / 64 JOIN events e ON e.seq = d.event_seq"),
    };
  }

  /** How much the records take that are kept, as the world itself measures it. */
  measure(): number {
    const { retention } = this.world.stores;
    return recordStreams.reduce((sum, stream) => sum + retention.measure(stream, 0, 10_000_000).bytes, 0);
  }
}

export const nothing: KeptOfTrace = { request: false, log: 0, events: 0, deliveries: 0, attempts: 0 };
