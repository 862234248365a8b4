import { iso } from "../rules/timestamp.ts";
import { isSandboxAnswer } from "../rules/webhooks/receiver.ts";
import { type Health, nextWaitMs, shouldPause, updateHealth } from "../rules/webhooks/subscription-health.ts";
import { findAttemptCause } from "../rules/worlds/activity.ts";
import type { NotedFailure } from "../storage/activity-log.ts";
import type { Outcome } from "../storage/delivery-records.ts";
import type { Append } from "../storage/log-store.ts";
import { findOrganizationName } from "../storage/stores.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { World } from "../worlds/world.ts";
import type { SentAttempt } from "./send.ts";
import { subscriptionChanged } from "./subscriptions.ts";

/** Attempts per commit, so that callers are served between two. */
const BATCH_ATTEMPTS = 64;
/** Time for others to join a batch. */
const BATCH_MS = 50;
/** Limit of unrecorded attempts. Sending pauses when it's reached. */
const MAX_WAITING = 512;
/** Wait before the next try on a disk that refuses writes. */
const RETRY_AFTER_MS = 1_000;

/** A finished attempt with its outcome. `endedAt` is real time, milliseconds since 1970. */
export interface FinishedAttempt {
  readonly sent: SentAttempt;
  readonly outcome: Outcome;
  readonly endedAt: number;
}

/** An unacknowledged attempt for the counts of all worlds. */
export const toNotedFailure = (
  { name, stores }: World,
  { sent: { prepared, exchanged } }: FinishedAttempt,
): NotedFailure => {
  const { id, integration_id, side, event_type } = prepared.delivery;
  return {
    ...{ world: name, at: prepared.stampedAt, id, operation: event_type },
    failure: {
      kind: "delivery",
      cause: findAttemptCause(exchanged),
      status: exchanged.response_status ?? 0,
      ...{ integration_id, organization_name: findOrganizationName(stores, integration_id), side },
      ...{ user_agent: null, origin: "partner" },
    },
  };
};

/**
 * D72: an unacknowledged delivery waits for its next attempt, or fails when the schedule is used up.
 *
 * @param now real time @param dueFrom the same moment by the clock for due work
 */
export const createOutcome = (
  { acknowledged, prepared }: { readonly acknowledged: boolean; readonly prepared: { readonly number: number } },
  schedule: Parameters<typeof nextWaitMs>[0],
  now: number,
  jitter: number,
  dueFrom = now,
): Outcome => {
  if (acknowledged) return { status: "delivered", next_attempt_at: null, ended_at: now };
  const wait = nextWaitMs(schedule, prepared.number, jitter);
  return wait === null
    ? { status: "failed", next_attempt_at: null, ended_at: now }
    : { status: "pending", next_attempt_at: dueFrom + wait, ended_at: null };
};

/** Updates an address's health after attempts, in order, and pauses it after a long failure. */
const recordHealth = (world: World, append: Append, attempts: readonly FinishedAttempt[]): void => {
  const last = attempts.at(-1)?.sent.prepared.delivery;
  const { subscriptions } = world.stores;
  const before = last && subscriptions.get(last.subscription_id);
  if (!before) return;
  let health: Health = before;
  let givenUpAt: number | null = null;
  for (const { sent, endedAt } of attempts) {
    const { response_status: status, error } = sent.exchanged;
    const delivery_id = sent.prepared.delivery.id;
    health = updateHealth(health, sent.acknowledged ? null : { delivery_id, status, error }, endedAt);
    givenUpAt = shouldPause(health, endedAt) ? endedAt : null;
  }
  subscriptions.setHealth(before.seq, health);
  if (attempts.some(({ sent }) => isSandboxAnswer(sent.exchanged.response_headers)))
    subscriptions.markSandbox(before.id);
  if (givenUpAt === null || before.paused_at !== null) return;
  subscriptions.pause(before.seq, givenUpAt, "failures");
  append("state", last.trace_id, subscriptionChanged(before, subscriptions.get(before.id) ?? before));
};

/**
 * Records attempts and the health of their subscriptions in one commit.
 *
 * @returns the recorded attempts
 */
export const recordAttempts = (
  world: World,
  attempts: readonly FinishedAttempt[],
): Promise<readonly FinishedAttempt[]> =>
  world.write((append) => {
    // recordAttempt returns null when the subscription ended during the attempt.
    const recorded = attempts.filter(({ sent, outcome }) => {
      const { delivery, number, stampedAt } = sent.prepared;
      const attempt = { number, started_at: iso(stampedAt), ...sent.exchanged };
      return world.stores.outbox.recordAttempt(delivery, attempt, outcome) !== null;
    });
    for (const same of Map.groupBy(recorded, ({ sent }) => sent.prepared.delivery.subscription_id).values())
      recordHealth(world, append, same);
    return recorded;
  });

/**
 * Stage three: records a world's attempts in batches, in the order they ended. A delivery counts as delivered only once
 * recorded; a crash repeats unrecorded ones.
 */
export class Recorder {
  readonly #write: (attempts: readonly FinishedAttempt[]) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  readonly #waiting: { readonly attempted: FinishedAttempt; readonly done: () => void }[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing = Promise.resolve();

  /** @param write records attempts in one commit */
  constructor(write: (attempts: readonly FinishedAttempt[]) => Promise<unknown>, onError: (error: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  /** True if the disk is too slow or refuses writes. */
  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  /** Queues an attempt. Resolves when it is recorded. */
  add(attempted: FinishedAttempt): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ attempted, done });
      this.#writeIn(BATCH_MS);
    });
  }

  #writeIn(waitMs: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), waitMs).unref();
  }

  /** Writes queued attempts now. Resolves whether or not that succeeded. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Attempts that arrive meanwhile wait for the next round.
    for (let left = this.#waiting.length; left > 0; left -= BATCH_ATTEMPTS) {
      const batch = this.#waiting.slice(0, Math.min(left, BATCH_ATTEMPTS));
      try {
        await this.#write(batch.map(({ attempted }) => attempted));
      } catch (error) {
        this.#onError(error);
        if (error instanceof NotDurableError) {
          this.#writeIn(RETRY_AFTER_MS);
          return;
        }
        // One invalid attempt must not block the others.
        if (batch.length > 1) for (const { attempted } of batch) await this.#write([attempted]).catch(this.#onError);
      }
      this.#waiting.splice(0, batch.length);
      for (const { done } of batch) done();
    }
  }
}
