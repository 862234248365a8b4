import { nextWaitMs } from "../rules/retry-schedule.ts";
import { type AttemptRecord, deliveryRow, type Outcome } from "../storage/delivery-records.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { World } from "../worlds/world.ts";
import { recordHealth } from "./health.ts";
import type { Sent } from "./send.ts";

/** At most so many attempts are one commit: callers are answered between two. */
const BATCH = 64;
/** How long others may join a batch. */
const TOGETHER_MS = 50;
/** So many may wait to be written; nothing more is sent meanwhile. */
const MOST_WAITING = 512;
/** When a disk that accepted no writes is asked again. */
const AGAIN_AFTER_MS = 1_000;

/** An attempt that ended, and what it comes to. `endedAt` is real time, milliseconds since 1970. */
export interface Attempted {
  readonly sent: Sent;
  readonly outcome: Outcome;
  readonly endedAt: number;
}

/** D72: what was not acknowledged waits for its next attempt or, when the schedule is used up, has failed. */
export const outcomeOf = (
  { acknowledged, prepared }: { readonly acknowledged: boolean; readonly prepared: { readonly number: number } },
  schedule: Parameters<typeof nextWaitMs>[0],
  now: number,
  jitter: number,
): Outcome => {
  if (acknowledged) return { status: "delivered", next_attempt_at: null, ended_at: now };
  const wait = nextWaitMs(schedule, prepared.number, jitter);
  return wait === null
    ? { status: "failed", next_attempt_at: null, ended_at: now }
    : { status: "pending", next_attempt_at: now + wait, ended_at: null };
};

const attemptOf = ({ prepared, ...sent }: Sent): AttemptRecord => ({
  number: prepared.number,
  started_at: prepared.stampedAt,
  duration_ms: sent.durationMs,
  request_headers: prepared.headers.map(([name, value]): [string, string] => [name, value]),
  request_body: prepared.body,
  response_status: sent.status,
  response_headers: sent.headers,
  response_body: sent.body,
  response_truncated: sent.truncated,
  error: sent.error,
});

/** Writes attempts down, all of them in one commit, with what they say of each subscription. */
export const record = (world: World, attempts: readonly Attempted[]): Promise<void> =>
  world.write((append) => {
    const bySubscription = new Map<string, Attempted[]>();
    for (const attempted of attempts) {
      const { sent, outcome } = attempted;
      const { delivery } = sent.prepared;
      const after = world.stores.outbox.recordAttempt(delivery, attemptOf(sent), outcome);
      // The subscription ended while the attempt was under way, and the delivery with it.
      if (!after) continue;
      append("delivery", after.event.trace_id, deliveryRow(after));
      const same = bySubscription.get(delivery.subscription_id);
      if (same) same.push(attempted);
      else bySubscription.set(delivery.subscription_id, [attempted]);
    }
    for (const [id, same] of bySubscription) recordHealth(world, append, id, same);
  });

/** What waits to be written down. `done` is called when it is in the file, or can never be. */
interface Waiting {
  readonly attempted: Attempted;
  readonly done: () => void;
}

/**
 * Stage three: writes the attempts of a world down in batches, in the order they ended. A delivery counts as delivered
 * from here on; what is not written yet is known here alone, and a crash sends it again.
 */
export class Recorder {
  readonly #write: (attempts: readonly Attempted[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  /** Those that wait until there is room for more. */
  #held: (() => void)[] = [];

  /** @param write writes attempts down in one commit */
  constructor(write: (attempts: readonly Attempted[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  /**
   * Takes an attempt, to be written down soon.
   *
   * @param done called when it is in the file
   * @returns resolves when more may be sent: at once, unless the disk does not keep up or accepts no writes
   */
  add(attempted: Attempted, done: () => void): Promise<void> {
    this.#waiting.push({ attempted, done });
    this.#writeIn(TOGETHER_MS);
    if (this.#waiting.length < MOST_WAITING) return Promise.resolve();
    return new Promise((resolve) => this.#held.push(resolve));
  }

  #writeIn(waitMs: number): void {
    if (this.#writing === null && this.#waiting.length > 0)
      this.#timer ??= setTimeout(() => void this.flush(), waitMs).unref();
  }

  /** Writes what waits now. Resolves when it is written, or could not be. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#writing !== null) return this.#writing.then(() => this.flush());
    this.#writing = this.#writeAll(this.#waiting.length).then((waitMs) => {
      this.#writing = null;
      this.#writeIn(waitMs);
    });
    return this.#writing;
  }

  /** @returns how long to wait before more is written */
  async #writeAll(count: number): Promise<number> {
    for (let left = count; left > 0; left -= BATCH) {
      const batch = this.#waiting.slice(0, BATCH);
      try {
        await this.#write(batch.map(({ attempted }) => attempted));
      } catch (error) {
        this.#onError(error);
        if (error instanceof NotDurableError) return AGAIN_AFTER_MS;
        // One of them cannot be written, whatever the disk does: it must not keep the others from it.
        if (batch.length > 1) for (const { attempted } of batch) await this.#write([attempted]).catch(this.#onError);
      }
      this.#waiting.splice(0, batch.length);
      for (const { done } of batch) done();
      for (const goOn of this.#held.splice(0)) goOn();
    }
    return TOGETHER_MS;
  }
}
