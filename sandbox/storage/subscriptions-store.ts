import type { Side } from "../contract/control/rows.ts";
import type { Health } from "../rules/subscription-health.ts";
import type { Database } from "./database.ts";

/** Why a delivery was given up that had been attempted: nobody receives it any more. */
export const SUBSCRIPTION_ENDED = "the subscription ended before an attempt was acknowledged";

/** Which address receives the notifications of which integration. */
export interface Recipient {
  readonly id: string;
  readonly integration_id: string;
  readonly url: string;
}

export interface NewSubscription extends Recipient {
  readonly created_at: number;
}

/** What stopped the sending to an address: somebody, what it failed, or that it came with a document. */
export type PausedBy = "person" | "failures" | "import";

/** A subscription: how many deliveries there are, how the address fares, whether it is paused. Times are real ones. */
export interface SubscriptionRecord extends NewSubscription, Health {
  readonly seq: number;
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
  readonly paused_at: number | null;
  readonly paused_by: PausedBy | null;
}

type StoredSubscription = Omit<SubscriptionRecord, "last_failure"> & {
  readonly failed_delivery_id: string | null;
  readonly failed_status: number | null;
  readonly failed_error: string | null;
};

const SELECT =
  "SELECT seq, id, integration_id, url, created_at, pending, delivered, failed, last_success_at, failing_since, " +
  "failed_delivery_id, failed_status, failed_error, consecutive_failures, paused_at, paused_by " +
  "FROM subscriptions WHERE ended_at IS NULL";

let versions = 0;
/** None is given twice, so that a file that was opened again differs from before. */
const nextVersion = (): number => {
  versions += 1;
  return versions;
};

/** Which address receives the notifications of which integration, and how it fares. */
export class SubscriptionsStore {
  readonly #db: Database;
  /** Every event asks; subscriptions change rarely. */
  readonly #recipients = new Map<string, readonly Recipient[]>();
  #version = nextVersion();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Registers an address; the same again changes nothing (D71). @returns whether it was new */
  insert(row: NewSubscription): boolean {
    this.forget();
    const { changes } = this.#db.run(
      "INSERT OR IGNORE INTO subscriptions (id, integration_id, url, created_at) VALUES (?, ?, ?, ?)",
      row.id,
      row.integration_id,
      row.url,
      this.#db.toStored(row.created_at),
    );
    return changes > 0;
  }

  /** Lets all subscriptions of an address lead to another; one that is subscribed already stays as it is. */
  move(from: string, to: string): void {
    if (from === to) return;
    this.forget();
    this.#db.run("UPDATE OR IGNORE subscriptions SET url = ? WHERE url = ? AND ended_at IS NULL", to, from);
  }

  readonly #record = ({
    failed_delivery_id,
    failed_status,
    failed_error,
    ...row
  }: StoredSubscription): SubscriptionRecord => ({
    ...row,
    created_at: this.#db.fromStored(row.created_at),
    last_success_at: this.#db.fromStored(row.last_success_at),
    failing_since: this.#db.fromStored(row.failing_since),
    last_failure:
      failed_delivery_id === null
        ? null
        : { delivery_id: failed_delivery_id, status: failed_status, error: failed_error },
    paused_at: this.#db.fromStored(row.paused_at),
  });

  /** In the order they subscribed. */
  list(): SubscriptionRecord[] {
    return this.#db.all<StoredSubscription>(`${SELECT} ORDER BY seq`).map(this.#record);
  }

  /** So many, newest first. */
  newest(limit: number): Recipient[] {
    return this.#db.all(
      "SELECT id, integration_id, url FROM subscriptions WHERE ended_at IS NULL ORDER BY seq DESC LIMIT ?",
      limit,
    );
  }

  /** Those of an integration, in the order they subscribed. */
  ofIntegration(integrationId: string): SubscriptionRecord[] {
    return this.#db
      .all<StoredSubscription>(`${SELECT} AND integration_id = ? ORDER BY seq`, integrationId)
      .map(this.#record);
  }

  count(): number {
    const row = this.#db.get<{ count: number }>("SELECT count(*) AS count FROM subscriptions WHERE ended_at IS NULL");
    return row?.count ?? 0;
  }

  get(id: string): SubscriptionRecord | undefined {
    const row = this.#db.get<StoredSubscription>(`${SELECT} AND id = ?`, id);
    return row && this.#record(row);
  }

  /** Keeps how an address fares. */
  setHealth(seq: number, health: Health): void {
    this.#db.run(
      "UPDATE subscriptions SET last_success_at = ?, failing_since = ?, failed_delivery_id = ?, failed_status = ?, " +
        "failed_error = ?, consecutive_failures = ? WHERE seq = ?",
      this.#db.toStored(health.last_success_at),
      this.#db.toStored(health.failing_since),
      health.last_failure?.delivery_id ?? null,
      health.last_failure?.status ?? null,
      health.last_failure?.error ?? null,
      health.consecutive_failures,
      seq,
    );
  }

  /** Sends nothing more to an address; what is notified waits. */
  pause(seq: number, at: number, by: PausedBy): void {
    this.forget();
    this.#db.run("UPDATE subscriptions SET paused_at = ?, paused_by = ? WHERE seq = ?", this.#db.toStored(at), by, seq);
  }

  /** Goes on where it was paused, as if the address had not failed before. */
  resume(seq: number): void {
    this.forget();
    this.#db.run(
      "UPDATE subscriptions SET paused_at = NULL, paused_by = NULL, failing_since = NULL, failed_delivery_id = NULL, " +
        "failed_status = NULL, failed_error = NULL, consecutive_failures = 0 WHERE seq = ?",
      seq,
    );
  }

  /** Who receives an event of this side of this organization (D70), in the order they subscribed. */
  recipients(organizationId: string, scope: Side): readonly Recipient[] {
    const key = `${scope} ${organizationId}`;
    const known = this.#recipients.get(key);
    if (known) return known;
    const found = this.#db.all<Recipient>(
      "SELECT s.id, s.integration_id, s.url FROM credentials c JOIN subscriptions s ON s.integration_id = c.integration_id " +
        "WHERE c.organization_id = ? AND c.scope = ? AND s.ended_at IS NULL ORDER BY s.seq",
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
    this.#version = nextVersion();
  }

  /**
   * Ends a subscription with what waits for it: what was attempted is given up and kept with its attempts; what never was
   * goes, as nothing of it happened. The row stays while deliveries of it are kept. Call inside a write.
   *
   * @param at real time, milliseconds since 1970
   * @returns whether there was one
   */
  end(id: string, at = Date.now()): boolean {
    this.forget();
    const seq = this.get(id)?.seq;
    if (seq === undefined) return false;
    const stored = this.#db.toStored(at);
    this.#db.run("DELETE FROM deliveries WHERE subscription_seq = ? AND status = 'pending' AND attempts_made = 0", seq);
    this.#db.run(
      "UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, ended_at = ?, last_error = ? WHERE subscription_seq = ? AND status = 'pending'",
      stored,
      SUBSCRIPTION_ENDED,
      seq,
    );
    this.#db.run("UPDATE subscriptions SET ended_at = ? WHERE seq = ?", stored, seq);
    this.#db.run("DELETE FROM drills WHERE subscription_id = ?", id);
    return true;
  }
}
