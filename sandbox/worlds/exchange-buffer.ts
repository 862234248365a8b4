import type { RequestRow } from "../contract/control/rows.ts";
import type { LiveEntry } from "../contract/live.ts";
import { requestEntry } from "../storage/log-store.ts";
import type { ExchangeRecord } from "../storage/requests-store.ts";
import type { Stores } from "../storage/stores.ts";

/** An exchange that was answered; what is kept of it is worked out when it is needed. */
export interface AnsweredExchange {
  summary(): RequestRow;
  /** As it is kept, secrets masked. */
  record(): Omit<ExchangeRecord, "seq">;
}

/** What the buffer needs of the world whose exchanges it keeps. */
export interface KeepingWorld {
  readonly closed: boolean;
  readonly stores: Pick<Stores, "requests" | "log">;
  writeBehind(run: () => void): Promise<void>;
}

export interface ExchangeListeners {
  readonly published: (entries: readonly LiveEntry[]) => void;
  /** Whether anybody reads what is published. */
  readonly watched: () => boolean;
  readonly troubled: (error: unknown) => void;
}

interface Waiting {
  readonly seq: number;
  readonly exchange: AnsweredExchange;
}

const WRITE_AFTER_MS = 25;
/** As many as are written without holding up whoever calls meanwhile. */
const SLICE = 250;

/** So many exchanges at once are all kept, and so many a second for as long as it goes on. */
export const BURST = 2_000;
const SUSTAINED_A_SECOND = 500;
/** Beyond that, the newest. */
const NEWEST = 100;

/**
 * Keeps a world's exchanges behind the answers: readers of the feed see each at once, the file gets many in one go and
 * in the commits of others, which need not wait for the disk. A rush of thousands a second, for longer than a burst, is
 * kept in part, so that looking on costs those who are in a hurry next to nothing.
 */
export class ExchangeBuffer {
  readonly #world: KeepingWorld;
  readonly #listeners: ExchangeListeners;
  #waiting: Waiting[] = [];
  #overflow: Waiting[] = [];
  #overflowed = false;
  #allowed = BURST;
  #allowedAt = performance.now();
  /** On their way into the file, in order; the first so many are with the writer. */
  readonly #writing: Waiting[] = [];
  #withWriter = 0;
  #settled: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(world: KeepingWorld, listeners: ExchangeListeners) {
    this.#world = world;
    this.#listeners = listeners;
  }

  add(exchange: AnsweredExchange): void {
    const world = this.#world;
    if (world.closed) return;
    const seq = world.stores.log.take();
    if (!this.#timer) this.#look();
    if (this.#allowed > 0) {
      this.#allowed -= 1;
      this.#waiting.push({ seq, exchange });
    } else {
      this.#overflowed = true;
      this.#overflow.push({ seq, exchange });
      if (this.#overflow.length >= 2 * NEWEST) this.#leaveOut(this.#overflow.splice(0, this.#overflow.length - NEWEST));
    }
    if (this.#listeners.watched()) this.#listeners.published([requestEntry(seq, exchange.summary())]);
  }

  /** They are not kept: a reader of the feed that has not seen them by now is told so when it comes back. */
  #leaveOut(exchanges: readonly Waiting[]): void {
    const last = exchanges.at(-1);
    if (last) this.#world.stores.log.lose(last.seq);
  }

  /** Also a burst after a pause is all kept: what became allowed meanwhile counts from the first of it. */
  #allow(): void {
    const now = performance.now();
    this.#allowed = Math.min(BURST, this.#allowed + ((now - this.#allowedAt) * SUSTAINED_A_SECOND) / 1_000);
    this.#allowedAt = now;
  }

  #look(): void {
    this.#allow();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const rush = this.#overflowed;
      this.#overflowed = false;
      void this.#hand(rush ? [] : this.#overflow);
      if (rush) this.#look();
      else this.#overflow = [];
    }, WRITE_AFTER_MS);
    this.#timer.unref();
  }

  /** Writes what waits; resolves when all of it can be read. Never fails: what went wrong is told to the listeners. */
  settle(): Promise<void> {
    const overflow = this.#overflow;
    this.#overflow = [];
    return this.#hand(overflow);
  }

  #hand(overflow: readonly Waiting[]): Promise<void> {
    if (this.#waiting.length === 0 && overflow.length === 0) return this.#settled;
    this.#writing.push(...this.#waiting, ...overflow);
    this.#waiting = [];
    this.#settled = this.#settled.then(() => this.#writeAll());
    return this.#settled;
  }

  /** Entries of the log after `id` that the file does not hold yet, in order; maybe some that it holds already. */
  after(id: number): LiveEntry[] {
    return [...this.#writing, ...this.#waiting, ...this.#overflow]
      .filter(({ seq }) => seq > id)
      .sort((a, b) => a.seq - b.seq)
      .map(({ seq, exchange }) => requestEntry(seq, exchange.summary()));
  }

  async #writeAll(): Promise<void> {
    while (this.#writing.length > 0 && !this.#world.closed) {
      const slice = this.#writing.slice(0, SLICE);
      this.#withWriter = slice.length;
      await this.#write(slice).catch((error: unknown) => {
        this.#leaveOut(slice);
        this.#listeners.troubled(error);
      });
      this.#writing.splice(0, slice.length);
      this.#withWriter = 0;
    }
  }

  #write(exchanges: readonly Waiting[]): Promise<void> {
    const { requests, log } = this.#world.stores;
    return this.#world.writeBehind(() => {
      for (const { seq, exchange } of exchanges) requests.insert({ ...exchange.record(), seq });
      log.noteLost();
    });
  }

  /** Hands what waits to the writer, for its last commit. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const left = [...this.#writing.slice(this.#withWriter), ...this.#waiting, ...this.#overflow];
    this.#writing.length = 0;
    this.#waiting = [];
    this.#overflow = [];
    if (left.length > 0) this.#write(left).catch(this.#listeners.troubled);
  }
}
