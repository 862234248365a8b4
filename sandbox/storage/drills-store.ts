import type { Drill, DrillExchange, DrillRow } from "../contract/control/receiver-rows.ts";
import { deliveryStatuses } from "../contract/control/rows.ts";
import type { DrillName } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import type { Database } from "./database.ts";

/** How many results of one drill a subscription keeps. */
const KEPT = 10;

/** How far around a delivery another event of its subscription is looked for. */
const NEAR = 5_000;

/** A drill as it was run: its row, and what went over the wire. */
export type DrillRecord = DrillRow & { readonly exchanges: readonly DrillExchange[] };

/** By `seq` alone (the `+`): an index by subscription would read all that it was ever sent. */
const OTHER =
  "SELECT d.id FROM deliveries d JOIN events e ON e.seq = d.event_seq WHERE d.seq BETWEEN ? AND ? AND +d.subscription_seq = ? AND d.event_seq <> ?";

/** What drills found, newest ten of each drill and subscription; they end with their subscription. */
export class DrillsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  insert({ exchanges, ...row }: DrillRecord): void {
    this.#db.run(
      "INSERT INTO drills (id, subscription_id, drill, at, summary, exchanges) VALUES (?, ?, ?, ?, ?, ?)",
      row.id,
      row.subscription_id,
      row.drill,
      this.#db.toStored(Date.parse(row.at)),
      JSON.stringify(row),
      JSON.stringify(exchanges),
    );
    this.#db.run(
      "DELETE FROM drills WHERE subscription_id = ? AND drill = ? AND seq <= (SELECT seq FROM drills WHERE subscription_id = ? AND drill = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)",
      row.subscription_id,
      row.drill,
      row.subscription_id,
      row.drill,
      KEPT,
    );
  }

  get(id: string): Drill | undefined {
    const found = this.#db.get<{ summary: string; exchanges: string }>(
      "SELECT summary, exchanges FROM drills WHERE id = ?",
      id,
    );
    if (!found) return undefined;
    const row = JSON.parse(found.summary) as DrillRow;
    return { ...row, expected: drills[row.drill].expects, exchanges: JSON.parse(found.exchanges) as DrillExchange[] };
  }

  /** The newest result of a drill on a subscription, or null. */
  latest(subscriptionId: string, drill: DrillName): DrillRow | null {
    const found = this.#db.get<{ summary: string }>(
      "SELECT summary FROM drills WHERE subscription_id = ? AND drill = ? ORDER BY seq DESC LIMIT 1",
      subscriptionId,
      drill,
    );
    return found ? (JSON.parse(found.summary) as DrillRow) : null;
  }

  /** How many of the drills have a result on a subscription. */
  runOn(subscriptionId: string): number {
    const sql = "SELECT count(DISTINCT drill) AS run FROM drills WHERE subscription_id = ?";
    return this.#db.get<{ run: number }>(sql, subscriptionId)?.run ?? 0;
  }

  #seq(subscriptionId: string): number | null {
    return this.#db.get<{ seq: number }>("SELECT seq FROM subscriptions WHERE id = ?", subscriptionId)?.seq ?? null;
  }

  /** The newest delivery of a subscription that is still kept. */
  newestDelivery(subscriptionId: string): string | null {
    const subscription = this.#seq(subscriptionId);
    // Status by status, each the end of an index: their sum may be a hundred thousand rows.
    const seqs = deliveryStatuses.map(
      (status) =>
        this.#db.get<{ seq: number | null }>(
          "SELECT max(seq) AS seq FROM deliveries WHERE subscription_seq = ? AND status = ?",
          subscription,
          status,
        )?.seq ?? 0,
    );
    const found = this.#db.get<{ id: string }>("SELECT id FROM deliveries WHERE seq = ?", Math.max(...seqs));
    return found?.id ?? null;
  }

  /**
   * A delivery of another event to the same subscription, near the given one: the last one before it, about the same
   * job where there is one, or else the first after it.
   */
  neighbour(delivery: {
    readonly seq: number;
    readonly event_seq: number;
    readonly subscription_id: string;
    readonly job_id: string;
  }): string | null {
    const { seq, event_seq, job_id } = delivery;
    const subscription = this.#seq(delivery.subscription_id);
    const near = (from: number, to: number, order: "ASC" | "DESC") =>
      this.#db.get<{ id: string }>(
        `${OTHER} ORDER BY (e.job_id = ?) DESC, d.seq ${order} LIMIT 1`,
        from,
        to,
        subscription,
        event_seq,
        job_id,
      )?.id;
    return near(seq - NEAR, seq - 1, "DESC") ?? near(seq + 1, seq + NEAR, "ASC") ?? null;
  }
}
