import { NotDurableError } from "../storage/writer.ts";
import type { World } from "../worlds/world.ts";
import { record, type Tried } from "./record.ts";

/** So many tries, or so much of answers, are written without waiting for more. */
const BATCH = 512;
const BATCH_BYTES = 1024 * 1024;
/** The least and the most time between two commits of fewer; a disk that takes its time is asked less often. */
const APART_MS = 20;
const FARTHEST_APART_MS = 250;
const DISK_SHARE = 4;
/** So many may wait to be written; nothing more is sent meanwhile. */
const MOST_WAITING = 2_048;
const MOST_WAITING_BYTES = 8 * BATCH_BYTES;
/** When a disk that took nothing is tried again. */
const AGAIN_AFTER_MS = 1_000;

export interface RecorderListeners {
  /** What is in the file now. */
  readonly recorded: (tries: readonly Tried[]) => void;
  readonly onError: (error: unknown) => void;
}

const bytesOf = ({ sent }: Tried): number => sent.body.length + sent.prepared.body.length;

/**
 * Writes down the tries of a world in batches, in the order they ended: what is sent does not wait for the disk, and the
 * disk is asked a few dozen times a second at most. What is not written yet is known here alone; a crash sends it again.
 */
export class Recorder {
  readonly #world: World;
  readonly #listeners: RecorderListeners;
  #waiting: Tried[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | null = null;
  #held = 0;
  #heldBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #wroteAt = 0;
  #apartMs = APART_MS;

  constructor(world: World, listeners: RecorderListeners) {
    this.#world = world;
    this.#listeners = listeners;
  }

  /** Whether so much waits that no more should be sent: the disk does not keep up, or takes nothing. */
  get full(): boolean {
    return (
      this.#waiting.length + this.#held >= MOST_WAITING || this.#waitingBytes + this.#heldBytes >= MOST_WAITING_BYTES
    );
  }

  add(tried: Tried): void {
    this.#waiting.push(tried);
    this.#waitingBytes += bytesOf(tried);
    this.#look();
  }

  #look(): void {
    if (this.#writing || this.#waiting.length === 0) return;
    if (this.#waiting.length >= BATCH || this.#waitingBytes >= BATCH_BYTES) void this.flush();
    else this.#later(this.#wroteAt + this.#apartMs - performance.now());
  }

  #later(waitMs: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), Math.max(0, waitMs));
  }

  /** Writes what waits. Resolves when what waited before is written, or could not be. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#writing !== null) return this.#writing.then(() => this.flush());
    if (this.#waiting.length === 0 || this.#world.closed) return Promise.resolve();
    const tries = this.#waiting;
    this.#held = tries.length;
    this.#heldBytes = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#wroteAt = performance.now();
    this.#writing = this.#write(tries);
    return this.#writing;
  }

  async #write(tries: readonly Tried[]): Promise<void> {
    try {
      await record(this.#world, tries);
    } catch (error) {
      if (this.#world.closed) return;
      this.#listeners.onError(error);
      if (error instanceof NotDurableError) {
        this.#again(tries);
        return;
      }
      // One of them cannot be written, whatever the disk does: it must not keep the others from it.
      for (const tried of tries) await record(this.#world, [tried]).catch(this.#listeners.onError);
    }
    const tookMs = performance.now() - this.#wroteAt;
    this.#apartMs = Math.min(FARTHEST_APART_MS, Math.max(APART_MS, tookMs * DISK_SHARE));
    this.#done(tries);
  }

  #done(tries: readonly Tried[]): void {
    this.#writing = null;
    this.#held = 0;
    this.#heldBytes = 0;
    this.#listeners.recorded(tries);
    this.#look();
  }

  /** Before all that ended since, so that the tries of a delivery stay in order. */
  #again(tries: readonly Tried[]): void {
    this.#waiting = [...tries, ...this.#waiting];
    this.#waitingBytes += this.#heldBytes;
    this.#writing = null;
    this.#held = 0;
    this.#heldBytes = 0;
    this.#later(AGAIN_AFTER_MS);
  }

  /** The world is gone: nothing more is written. */
  end(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = [];
  }
}
