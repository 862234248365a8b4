import type { Side } from "../contract/control/rows.ts";
import type { Health } from "../rules/subscription-health.ts";
import type { Database } from "./database.ts";
import { endWaiting } from "./ended-deliveries.ts";

export interface SubscriptionRow {
  readonly id: string;
  readonly integration_id: string;
  readonly url: string;
  readonly created_at: number;
}

export type Recipient = Omit<SubscriptionRow, "created_at">;

export interface SubscriptionCounts {
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
}

/** Who stopped sending to an address: somebody, or what it failed. */
export type PausedBy = "person" | "failures";

/** A subscription with the lane of its deliveries: how many there are, how the address fares, whether it is paused. */
export interface Standing extends SubscriptionRow, SubscriptionCounts, Health {
  readonly lane: number;
  readonly paused_at: number | null;
  readonly paused_by: PausedBy | null;
}

const STANDING =
  "SELECT s.id, s.integration_id, s.url, s.created_at, l.seq AS lane, l.pending, l.delivered, l.failed, l.last_success_at, " +
  "l.failing_since, l.consecutive_failures, l.paused_at, l.paused_by FROM subscriptions s JOIN lanes l ON l.subscription_id = s.id";

/** Which address receives the notifications of which integration, and how it fares. */
export class SubscriptionsStore {
  readonly #db: Database;
  /** Every event asks; subscriptions change rarely. */
  readonly #recipients = new Map<string, readonly Recipient[]>();
  #version = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Registers an address; the same again changes nothing (D71). @returns whether it was new */
  insert(row: SubscriptionRow): boolean {
    this.forget();
    const { changes } = this.#db.run(
      "INSERT OR IGNORE INTO subscriptions (id, integration_id, url, created_at) VALUES (?, ?, ?, ?)",
      row.id,
      row.integration_id,
      row.url,
      this.#db.toStored(row.created_at),
    );
    if (changes === 0) return false;
    this.#db.run(
      "INSERT INTO lanes (subscription_id, integration_id, url) VALUES (?, ?, ?)",
      row.id,
      row.integration_id,
      row.url,
    );
    return true;
  }

  /** Lets all subscriptions of an address lead to another; one that is subscribed already stays as it is. */
  move(from: string, to: string): void {
    if (from === to) return;
    this.forget();
    this.#db.run("UPDATE OR IGNORE subscriptions SET url = ? WHERE url = ?", to, from);
    this.#db.run(
      "UPDATE lanes SET url = ? WHERE subscription_id IN (SELECT id FROM subscriptions WHERE url = ?)",
      to,
      to,
    );
  }

  /** Where those of the subscribed addresses led that are the service's own; undefined: there never were any. */
  ownPlace(): string | undefined {
    return this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'own_addresses'")?.value;
  }

  setOwnPlace(place: string): void {
    this.#db.run(
      "INSERT INTO meta (key, value) VALUES ('own_addresses', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      place,
    );
  }

  list(): SubscriptionRow[] {
    return this.#db
      .all<SubscriptionRow>("SELECT id, integration_id, url, created_at FROM subscriptions ORDER BY seq")
      .map((row) => ({ ...row, created_at: this.#db.fromStored(row.created_at) }));
  }

  readonly #standing = (row: Standing): Standing => ({
    ...row,
    created_at: this.#db.fromStored(row.created_at),
    last_success_at: this.#db.fromStored(row.last_success_at),
    failing_since: this.#db.fromStored(row.failing_since),
    paused_at: this.#db.fromStored(row.paused_at),
  });

  /** In the order they subscribed. */
  standings(): Standing[] {
    return this.#db.all<Standing>(`${STANDING} ORDER BY s.seq`).map(this.#standing);
  }

  standing(id: string): Standing | undefined {
    const row = this.#db.get<Standing>(`${STANDING} WHERE s.id = ?`, id);
    return row && this.#standing(row);
  }

  /** Keeps how the address of a lane fares. */
  setHealth(lane: number, health: Health): void {
    this.#db.run(
      "UPDATE lanes SET last_success_at = ?, failing_since = ?, consecutive_failures = ? WHERE seq = ?",
      this.#db.toStored(health.last_success_at),
      this.#db.toStored(health.failing_since),
      health.consecutive_failures,
      lane,
    );
  }

  /** Sends nothing more to the address of a lane; what is notified waits. */
  pause(lane: number, at: number, by: PausedBy): void {
    this.forget();
    this.#db.run("UPDATE lanes SET paused_at = ?, paused_by = ? WHERE seq = ?", this.#db.toStored(at), by, lane);
  }

  /** Goes on where it was paused, as if the address had not failed before. */
  resume(lane: number): void {
    this.forget();
    this.#db.run(
      "UPDATE lanes SET paused_at = NULL, paused_by = NULL, failing_since = NULL, consecutive_failures = 0 WHERE seq = ?",
      lane,
    );
  }

  /** Who receives an event of this side of this organization (D70), in the order they subscribed. */
  recipients(organizationId: string, scope: Side): readonly Recipient[] {
    const key = `${scope} ${organizationId}`;
    const known = this.#recipients.get(key);
    if (known) return known;
    const found = this.#db.all<Recipient>(
      "SELECT s.id, s.integration_id, s.url FROM credentials c JOIN subscriptions s ON s.integration_id = c.integration_id " +
        "WHERE c.organization_id = ? AND c.scope = ? ORDER BY s.seq",
      organizationId,
      scope,
    );
    this.#recipients.set(key, found);
    return found;
  }

  /** Changes whenever what is known of the subscriptions may no longer be true. */
  get version(): number {
    return this.#version;
  }

  /** Subscriptions or the credentials they belong to changed, or a change was undone. */
  forget(): void {
    this.#recipients.clear();
    this.#version += 1;
  }

  /**
   * Ends a subscription with what is still waiting for it; see {@link endWaiting}.
   *
   * @param at real time, milliseconds since 1970
   * @returns whether there was one
   */
  delete(id: string, at = Date.now()): boolean {
    this.forget();
    const lane = this.#db.get<{ seq: number }>("SELECT seq FROM lanes WHERE subscription_id = ?", id);
    if (lane) endWaiting(this.#db, lane.seq, at);
    return this.#db.run("DELETE FROM subscriptions WHERE id = ?", id).changes > 0;
  }
}
