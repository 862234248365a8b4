import type { Side } from "../contract/control/rows.ts";
import type { Database } from "./database.ts";

export interface SubscriptionRow {
  readonly id: string;
  readonly integration_id: string;
  readonly url: string;
  readonly created_at: number;
}

export interface SubscriptionCounts {
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
}

/** Which address receives the notifications of which integration. */
export class SubscriptionsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Registers an address; the same again changes nothing (D71). @returns whether it was new */
  insert(row: SubscriptionRow): boolean {
    const { changes } = this.#db.run(
      "INSERT OR IGNORE INTO subscriptions (id, integration_id, url, created_at) VALUES (?, ?, ?, ?)",
      row.id,
      row.integration_id,
      row.url,
      this.#db.toStored(row.created_at),
    );
    return changes > 0;
  }

  list(): SubscriptionRow[] {
    return this.#db
      .all<SubscriptionRow>("SELECT id, integration_id, url, created_at FROM subscriptions ORDER BY seq")
      .map((row) => ({ ...row, created_at: this.#db.fromStored(row.created_at) }));
  }

  counts(id: string): SubscriptionCounts {
    const rows = this.#db.all<{ status: keyof SubscriptionCounts; n: number }>(
      "SELECT status, count(*) AS n FROM deliveries WHERE subscription_id = ? GROUP BY status",
      id,
    );
    return { pending: 0, delivered: 0, failed: 0, ...Object.fromEntries(rows.map((row) => [row.status, row.n])) };
  }

  /** Who receives an event of this side of this organization (D70), in the order they subscribed. */
  recipients(organizationId: string, scope: Side): Omit<SubscriptionRow, "created_at">[] {
    return this.#db.all(
      "SELECT s.id, s.integration_id, s.url FROM credentials c JOIN subscriptions s ON s.integration_id = c.integration_id " +
        "WHERE c.organization_id = ? AND c.scope = ? ORDER BY s.seq",
      organizationId,
      scope,
    );
  }

  /** Ends a subscription with what is still waiting for it. @returns whether there was one */
  delete(id: string): boolean {
    this.#db.run("DELETE FROM deliveries WHERE subscription_id = ? AND status = 'pending'", id);
    return this.#db.run("DELETE FROM subscriptions WHERE id = ?", id).changes > 0;
  }
}
