import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { queueEvent } from "../operations/write-outbox.ts";
import { Database } from "../storage/database.ts";
import type { AttemptRecord } from "../storage/delivery-records.ts";

import { newId } from "../storage/new-id.ts";
import { Trimming } from "../worlds/retention.ts";
import { World } from "../worlds/world.ts";
import { exchangeRecord } from "./exchanges.ts";
import { temporaryFolder } from "./harness.ts";

const INTEGRATION = "5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f";
const ORGANIZATION = "organization";

const attempt = (response: Buffer): AttemptRecord => ({
  number: 1,
  started_at: new Date().toISOString(),
  duration_ms: 1,
  request_headers: [],
  request_body_base64: "e30=",
  response_status: 200,
  response_headers: [],
  response_body_base64: response.toString("base64"),
  response_truncated: false,
  error: null,
});

/** The records of one call, by its trace. */
interface TraceRecords {
  readonly request: boolean;
  readonly log: number;
  readonly events: number;
  readonly deliveries: number;
  readonly attempts: number;
}

/** A world with calls, events and deliveries but no service, so that tests fill it quickly. */
export class BusyWorld {
  readonly file: string;
  readonly world: World;
  readonly trimming: Trimming;

  constructor() {
    const folder = temporaryFolder();
    this.file = path.join(folder, "world.sqlite");
    const db = new Database(this.file, { durability: "off" });
    db.epoch = Date.now();
    this.world = new World("team", db, {
      onPublish: () => undefined,
      onError: (error) => expect.unreachable(String(error)),
    });
    onTestFinished(() => {
      this.world.close();
      fs.rmSync(folder, { recursive: true, force: true });
    });
    this.world.stores.credentials.insert({
      ...{ integration_id: INTEGRATION, api_key: "sbx_key", webhook_secret: "pwh_secret", client_id: null },
      ...{ organization_id: ORGANIZATION, scope: "repairer", preloaded: false, created_at: Date.now() },
    });
    this.trimming = new Trimming((work) => work(this.world), 1_024);
  }

  subscribe(id: string): void {
    const row = { id, integration_id: INTEGRATION, url: `http://127.0.0.1/${id}`, created_at: Date.now() };
    this.world.stores.subscriptions.insert(row);
  }

  /** Records a call with a change and its event. @param bytes size of its body @returns its trace */
  async call(bytes = 100): Promise<string> {
    const { world } = this;
    const trace = newId();
    await world.write((append) => {
      append("state", trace, {
        ...{ entity: "job", id: trace, label: "T-1", change: "inserted", job_id: trace },
        ...{ before: null, after: { note: "x".repeat(bytes) } },
      });
      queueEvent(world, trace, {
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

  /** Records a call without a change. @returns its trace */
  async read(trace = newId(), bytes = 100): Promise<string> {
    const { requests } = this.world.stores;
    const exchange = exchangeRecord(trace, { at: Date.now(), request_body: Buffer.alloc(bytes) });
    await this.world.write(() => requests.insert(exchange));
    return trace;
  }

  /** Acknowledges pending deliveries of a subscription, oldest first. @param bytes size of the receiver's responses */
  async deliver(subscriptionId: string, most = Number.MAX_SAFE_INTEGER, bytes = 100): Promise<void> {
    const { outbox, subscriptions } = this.world.stores;
    const subscription = subscriptions.get(subscriptionId)?.seq ?? 0;
    const now = Date.now();
    for (let left = most; left > 0; ) {
      const some = outbox.due(subscription, 0, Math.min(left, 500)).flatMap((seq) => outbox.at(seq) ?? []);
      if (some.length === 0) return;
      left -= some.length;
      const outcome = { status: "delivered", next_attempt_at: null, ended_at: now } as const;
      await this.world.write(() => {
        for (const delivery of some) outbox.recordAttempt(delivery, attempt(Buffer.alloc(bytes)), outcome);
      });
    }
  }

  count(table: "deliveries" | "events" | "requests" | "log" | "attempts" | "subscriptions"): number {
    return this.world.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
  }

  countRecords(trace: string): TraceRecords {
    const { log, requests } = this.world.stores;
    const count = (from: string): number =>
      this.world.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${from} WHERE e.trace_id = ?`, trace)?.n ?? 0;
    const deliveries = "deliveries d JOIN events e ON e.seq = d.event_seq";
    return {
      request: requests.findByTrace(trace) !== undefined,
      log: log.listByTrace(trace).length,
      events: count("events e"),
      deliveries: count(deliveries),
      attempts: count("attempts a JOIN deliveries d ON d.seq = a.delivery_seq JOIN events e ON e.seq = d.event_seq"),
    };
  }
}

export const nothing: TraceRecords = { request: false, log: 0, events: 0, deliveries: 0, attempts: 0 };
