import type { Side } from "../contract/control/rows.ts";
import { type EventType, events } from "../contract/event-types.ts";
import type { Health } from "../rules/webhooks/subscription-health.ts";
import type { Database } from "./database.ts";
import { realTime } from "./real-time.ts";

/** Error stored for attempted deliveries when their subscription is deleted. */
export const SUBSCRIPTION_ENDED = "the subscription ended before an attempt was acknowledged";

/** Which address receives the notifications of which integration. */
export interface Recipient {
  readonly id: string;
  readonly integration_id: string;
  readonly url: string;
}

/** An address, and what it is sent. */
interface Subscriber extends Recipient {
  /** Null: events of every type. */
  readonly event_types: readonly EventType[] | null;
}

export interface NewSubscription extends Recipient {
  readonly created_at: number;
}

/** What stopped the sending to an address: somebody, what it failed, or that it came with a document. */
export type PausedBy = "person" | "failures" | "import";

/** A subscription: how many deliveries there are, how the address fares, whether it is paused. Times are real ones. */
export interface SubscriptionRecord extends NewSubscription, Subscriber, Health {
  readonly seq: number;
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
  readonly paused_at: number | null;
  readonly paused_by: PausedBy | null;
  /** Whether a sandbox has answered at the address: then nothing of it proves a partner's receiver. */
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

const typesIn = (text: string | null): readonly EventType[] | null =>
  text === null ? null : (JSON.parse(text) as readonly EventType[]);

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
  readonly #recipients = new Map<string, readonly Subscriber[]>();
  #version = nextVersion();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Registers an address; the same again changes nothing (D71). @returns whether it was new */
  insert({ id, integration_id, url, created_at }: NewSubscription): boolean {
    this.forget();
    const sql = "INSERT OR IGNORE INTO subscriptions (id, integration_id, url, created_at) VALUES (?, ?, ?, ?)";
    return this.#db.run(sql, id, integration_id, url, this.#db.toStored(created_at)).changes > 0;
  }

  /** Lets all subscriptions of an address lead to another; one that is subscribed already stays as it is. */
  move(from: string, to: string): void {
    if (from === to) return;
    this.forget();
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
        event_types: typesIn(row.event_types),
        by_sandbox: row.by_sandbox === 1,
      }));
  }

  /** In the order they subscribed. */
  list(): SubscriptionRecord[] {
    return this.#rows("ORDER BY seq");
  }

  /** So many, newest first. */
  newest(limit: number): Recipient[] {
    return this.#rows("ORDER BY seq DESC LIMIT ?", limit);
  }

  /** Those of an integration, in the order they subscribed. */
  ofIntegration(integrationId: string): SubscriptionRecord[] {
    return this.#rows("AND integration_id = ? ORDER BY seq", integrationId);
  }

  count(): number {
    const row = this.#db.get<{ count: number }>("SELECT count(*) AS count FROM subscriptions WHERE ended_at IS NULL");
    return row?.count ?? 0;
  }

  get(id: string): SubscriptionRecord | undefined {
    return this.#rows("AND id = ?", id)[0];
  }

  /** Keeps how an address fares. */
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

  /** Notes for good that a sandbox answers at an address. Call inside a write. */
  markSandbox(id: string): void {
    this.#db.run("UPDATE subscriptions SET by_sandbox = 1 WHERE id = ? AND by_sandbox = 0", id);
  }

  /** Sends nothing more to an address; what is notified waits. */
  pause(seq: number, at: number, by: PausedBy): void {
    this.forget();
    this.#db.update("subscriptions", seq, { paused_at: this.#db.toStored(at), paused_by: by });
  }

  /** Goes on where it was paused, as if the address had not failed before. */
  resume({ seq, last_success_at }: Pick<SubscriptionRecord, "seq" | "last_success_at">): void {
    this.forget();
    this.#db.update("subscriptions", seq, { paused_at: null, paused_by: null });
    this.setHealth(seq, { last_success_at, failing_since: null, last_failure: null, consecutive_failures: 0 });
  }

  /** Sends an address events of these types alone. @param types null: of every one */
  setEventTypes(seq: number, types: readonly EventType[] | null): void {
    this.forget();
    this.#db.update("subscriptions", seq, { event_types: types && JSON.stringify(types) });
  }

  /** Who receives an event of a type of this organization (D70), in the order they subscribed. */
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
    const found = rows.map(({ event_types, ...row }) => ({ ...row, event_types: typesIn(event_types) }));
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
  end(id: string, at = realTime()): boolean {
    this.forget();
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
