import { nextWaitMs } from "../rules/retry-schedule.ts";
import { type AttemptRecord, deliveryRow, type Outcome } from "../storage/delivery-records.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { World } from "../worlds/world.ts";
import { recordHealth } from "./health.ts";
import type { Sent } from "./send.ts";

/** At most so many attempts, and about so much of them, are one commit: callers are answered between two. */
const BATCH = 256;
const BATCH_BYTES = 1024 * 1024;
/** How long others may join a batch: longer where nothing was acknowledged, as many failures are no news. */
const TOGETHER_MS = { acknowledged: 20, failed: 100 } as const;
/** So much may wait to be written; nothing more is sent meanwhile. */
const MOST_WAITING = 2_048;
const MOST_WAITING_BYTES = 8 * BATCH_BYTES;
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

const bytesOf = ({ sent }: Attempted): number => sent.body.length + sent.prepared.body.length;

export interface RecorderListeners {
  /** What is in the file now. */
  readonly recorded: (attempts: readonly Attempted[]) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Stage three: writes the attempts of a world down in batches, in the order they ended. A delivery counts as delivered
 * from here on; what is not written yet is known here alone, and a crash sends it again.
 */
export class Recorder {
  readonly #world: World;
  readonly #listeners: RecorderListeners;
  #waiting: Attempted[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  /** When it ends. */
  #due = 0;
  #writing: Promise<void> | null = null;

  constructor(world: World, listeners: RecorderListeners) {
    this.#world = world;
    this.#listeners = listeners;
  }

  /** Whether so much waits that no more should be sent: the disk does not keep up, or accepts no writes. */
  get full(): boolean {
    return this.#waiting.length >= MOST_WAITING || this.#bytes >= MOST_WAITING_BYTES;
  }

  add(attempted: Attempted): void {
    this.#waiting.push(attempted);
    this.#bytes += bytesOf(attempted);
    this.#later(attempted.sent.acknowledged ? TOGETHER_MS.acknowledged : TOGETHER_MS.failed);
  }

  #later(waitMs: number): void {
    const due = performance.now() + waitMs;
    if (this.#writing !== null || this.#waiting.length === 0 || (this.#timer && this.#due <= due)) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), waitMs);
    this.#due = due;
  }

  /** Writes what waits now. Resolves when it is written, or could not be. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#writing !== null) return this.#writing.then(() => this.flush());
    this.#writing = this.#write(this.#waiting.length).then((waitMs) => {
      this.#writing = null;
      this.#later(waitMs);
    });
    return this.#writing;
  }

  /** @returns how long to wait before more is written */
  async #write(count: number): Promise<number> {
    for (let left = count; left > 0 && !this.#world.closed; ) {
      const batch = this.#batch();
      let recorded: readonly Attempted[] = batch;
      try {
        await record(this.#world, batch);
      } catch (error) {
        if (this.#world.closed) break;
        this.#listeners.onError(error);
        if (error instanceof NotDurableError) return AGAIN_AFTER_MS;
        // One of them cannot be written, whatever the disk does: it must not keep the others from it.
        recorded = await this.#oneByOne(batch);
      }
      left -= batch.length;
      this.#waiting.splice(0, batch.length);
      this.#bytes -= batch.reduce((sum, one) => sum + bytesOf(one), 0);
      this.#listeners.recorded(recorded);
    }
    return TOGETHER_MS.acknowledged;
  }

  #batch(): Attempted[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((one, index) => {
      bytes += bytesOf(one);
      return index >= BATCH || bytes > BATCH_BYTES;
    });
    return this.#waiting.slice(0, end === -1 ? undefined : Math.max(1, end));
  }

  async #oneByOne(batch: readonly Attempted[]): Promise<Attempted[]> {
    const recorded: Attempted[] = [];
    for (const one of batch) {
      try {
        await record(this.#world, [one]);
        recorded.push(one);
      } catch (error) {
        this.#listeners.onError(error);
      }
    }
    return recorded;
  }
}
