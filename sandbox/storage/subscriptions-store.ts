import type { Side } from "../contract/control/rows.ts";
import { type EventType, events } from "../contract/event-types.ts";
import type { Health } from "../rules/webhooks/subscription-health.ts";
import type { Database } from "./database.ts";
import { realTime } from "./real-time.ts";

/** Error stored for attempted deliveries when their subscription is deleted. */
export const SUBSCRIPTION_ENDED = "the subscription ended before an attempt was acknowledged";

/** An address that receives an integration's notifications. */
export interface Recipient {
  readonly id: string;
  readonly integration_id: string;
  readonly url: string;
}

interface Subscriber extends Recipient {
  /** Null for all types. */
  readonly event_types: readonly EventType[] | null;
}

interface NewSubscription extends Recipient {
  readonly created_at: number;
}

/** Cause of a pause: a person, repeated failures, or an imported document. */
type PausedBy = "person" | "failures" | "import";

/** A subscription with its delivery counts, health and pause. Times are real. */
export interface SubscriptionRecord extends NewSubscription, Subscriber, Health {
  readonly seq: number;
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
  readonly paused_at: number | null;
  readonly paused_by: PausedBy | null;
  /** True if a sandbox responded at the address, so its results prove nothing about a partner's receiver. */
  readonly by_sandbox: boolean;
}

type StoredSubscription = Omit<SubscriptionRecord, "last_failure" | "event_types" | "by_sandbox"> & {
  readonly by_sandbox: number;
  readonly event_types: string | null;
  readonly failed_delivery_id: string | null;
  readonly failed_status: number | null;
  readonly failed_error: string | null;
  readonly ended_at: number | null;
};

const parseTypes = (text: string | null): readonly EventType[] | null =>
  text === null ? null : (JSON.parse(text) as readonly EventType[]);

let versions = 0;
/** Unique in the process, so a reopened file has a new version. */
const nextVersion = (): number => {
  versions += 1;
  return versions;
};

/** Subscriptions with their health. */
export class SubscriptionsStore {
  readonly #db: Database;
  /** Cache, because every event reads it and subscriptions change rarely. */
  readonly #recipients = new Map<string, readonly Subscriber[]>();
  #version = nextVersion();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Registers an address; a repeat changes nothing (D71). @returns whether it was new */
  insert({ id, integration_id, url, created_at }: NewSubscription): boolean {
    this.clearCache();
    const sql = "INSERT OR IGNORE INTO subscriptions (id, integration_id, url, created_at) VALUES (?, ?, ?, ?)";
    return this.#db.run(sql, id, integration_id, url, this.#db.toStored(created_at)).changes > 0;
  }

  /** Changes an address in all subscriptions. A subscription that already has the new address stays unchanged. */
  move(from: string, to: string): void {
    if (from === to) return;
    this.clearCache();
    this.#db.run("UPDATE OR IGNORE subscriptions SET url = ? WHERE url = ? AND ended_at IS NULL", to, from);
  }

  #rows(rest: string, ...values: readonly unknown[]): SubscriptionRecord[] {
    return this.#db
      .all<StoredSubscription>(`SELECT * FROM subscriptions WHERE ended_at IS NULL ${rest}`, ...values)
      .map(({ failed_delivery_id, failed_status: status, failed_error: error, ended_at: _ended, ...row }) => ({
        ...row,
        created_at: this.#db.fromStored(row.created_at),
        last_success_at: this.#db.fromStored(row.last_success_at),
        failing_since: this.#db.fromStored(row.failing_since),
        last_failure: failed_delivery_id === null ? null : { delivery_id: failed_delivery_id, status, error },
        paused_at: this.#db.fromStored(row.paused_at),
        event_types: parseTypes(row.event_types),
        by_sandbox: row.by_sandbox === 1,
      }));
  }

  /** In the order they subscribed. */
  list(): SubscriptionRecord[] {
    return this.#rows("ORDER BY seq");
  }

  newest(limit: number): Recipient[] {
    return this.#rows("ORDER BY seq DESC LIMIT ?", limit);
  }

  /** In the order they subscribed. */
  listByIntegration(integrationId: string): SubscriptionRecord[] {
    return this.#rows("AND integration_id = ? ORDER BY seq", integrationId);
  }

  count(): number {
    const row = this.#db.get<{ count: number }>("SELECT count(*) AS count FROM subscriptions WHERE ended_at IS NULL");
    return row?.count ?? 0;
  }

  get(id: string): SubscriptionRecord | undefined {
    return this.#rows("AND id = ?", id)[0];
  }

  setHealth(seq: number, { last_success_at, failing_since, last_failure, consecutive_failures }: Health): void {
    this.#db.update("subscriptions", seq, {
      last_success_at: this.#db.toStored(last_success_at),
      failing_since: this.#db.toStored(failing_since),
      failed_delivery_id: last_failure?.delivery_id ?? null,
      failed_status: last_failure?.status ?? null,
      failed_error: last_failure?.error ?? null,
      consecutive_failures,
    });
  }

  /** Marks an address permanently as a sandbox's. Call inside a write. */
  markSandbox(id: string): void {
    this.#db.run("UPDATE subscriptions SET by_sandbox = 1 WHERE id = ? AND by_sandbox = 0", id);
  }

  /** Stops sending to an address. New notifications wait. */
  pause(seq: number, at: number, by: PausedBy): void {
    this.clearCache();
    this.#db.update("subscriptions", seq, { paused_at: this.#db.toStored(at), paused_by: by });
  }

  resume({ seq, last_success_at }: Pick<SubscriptionRecord, "seq" | "last_success_at">): void {
    this.clearCache();
    this.#db.update("subscriptions", seq, { paused_at: null, paused_by: null });
    this.setHealth(seq, { last_success_at, failing_since: null, last_failure: null, consecutive_failures: 0 });
  }

  /** @param types null for all */
  setEventTypes(seq: number, types: readonly EventType[] | null): void {
    this.clearCache();
    this.#db.update("subscriptions", seq, { event_types: types && JSON.stringify(types) });
  }

  /** Recipients of an organization's event (D70), in the order they subscribed. */
  recipients(organizationId: string, type: EventType): readonly Recipient[] {
    const all = this.#subscribers(organizationId, events[type].side);
    return all.every(({ event_types }) => event_types === null)
      ? all
      : all.filter(({ event_types }) => event_types === null || event_types.includes(type));
  }

  #subscribers(organizationId: string, scope: Side): readonly Subscriber[] {
    const key = `${scope} ${organizationId}`;
    const known = this.#recipients.get(key);
    if (known) return known;
    const rows = this.#db.all<Recipient & { readonly event_types: string | null }>(
      "SELECT s.id, s.integration_id, s.url, s.event_types FROM credentials c JOIN subscriptions s ON s.integration_id = c.integration_id " +
        "WHERE c.organization_id = ? AND c.scope = ? AND s.ended_at IS NULL ORDER BY s.seq",
      organizationId,
      scope,
    );
    const found = rows.map(({ event_types, ...row }) => ({ ...row, event_types: parseTypes(event_types) }));
    this.#recipients.set(key, found);
    return found;
  }

  /** Changes whenever cached subscriptions may be outdated. */
  get version(): number {
    return this.#version;
  }

  /** Clears the cache after a change of subscriptions or credentials, or a rollback. */
  clearCache(): void {
    this.#recipients.clear();
    this.#version = nextVersion();
  }

  /**
   * Ends a subscription and its waiting deliveries: attempted ones become failed and keep their attempts; the others
   * are deleted. The row stays while its deliveries are kept. Call inside a write.
   *
   * @param at real time, milliseconds since 1970
   * @returns whether the subscription existed
   */
  end(id: string, at = realTime()): boolean {
    this.clearCache();
    const seq = this.get(id)?.seq;
    if (seq === undefined) return false;
    const ended_at = this.#db.toStored(at);
    this.#db.run("DELETE FROM deliveries WHERE subscription_seq = ? AND status = 'pending' AND attempts_made = 0", seq);
    this.#db.run(
      "UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, ended_at = ?, last_error = ? WHERE subscription_seq = ? AND status = 'pending'",
      ended_at,
      SUBSCRIPTION_ENDED,
      seq,
    );
    this.#db.update("subscriptions", seq, { ended_at });
    this.#db.run("DELETE FROM drills WHERE subscription_id = ?", id);
    return true;
  }
}
