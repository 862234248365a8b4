import type { RequestRow } from "../contract/control/rows.ts";
import { type ExchangeRecord, exchangeSummary } from "../storage/requests-store.ts";
import type { Stores } from "../storage/stores.ts";

/** An exchange that was answered; what is kept of it, secrets masked, is worked out when it is written. */
export interface AnsweredExchange {
  /** About how much of memory it holds on to. */
  readonly bytes: number;
  record(): ExchangeRecord;
}

type AppendRequest = (kind: "request", traceId: string, data: RequestRow) => void;

/** What the buffer needs of the world whose exchanges it keeps. */
export interface KeepingWorld {
  readonly closed: boolean;
  readonly stores: Pick<Stores, "requests">;
  write(run: (append: AppendRequest) => void): Promise<void>;
}

const WRITE_AFTER_MS = 25;
const MEBIBYTE = 1024 * 1024;

/** So much at once is kept, and so much a second for as long as a rush goes on. */
export const BURST_BYTES = 8 * MEBIBYTE;
const SUSTAINED_BYTES_A_SECOND = 2 * MEBIBYTE;

/**
 * Keeps a world's exchanges after they were answered: many are written at once, in the commits of others where there
 * are some, and published then. A rush of more bytes than are kept leaves out what comes too soon: writing all of it
 * would cost those who call as much as their calls do.
 */
export class ExchangeBuffer {
  readonly #world: KeepingWorld;
  readonly #troubled: (error: unknown) => void;
  #waiting: AnsweredExchange[] = [];
  #allowed = BURST_BYTES;
  #allowedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #written: Promise<void> = Promise.resolve();

  /** @param troubled is given what kept exchanges from being written */
  constructor(world: KeepingWorld, troubled: (error: unknown) => void) {
    this.#world = world;
    this.#troubled = troubled;
  }

  add(exchange: AnsweredExchange): void {
    if (this.#world.closed || !this.#allows(exchange.bytes)) return;
    this.#waiting.push(exchange);
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  #allows(bytes: number): boolean {
    const now = performance.now();
    const gained = ((now - this.#allowedAt) * SUSTAINED_BYTES_A_SECOND) / 1_000;
    this.#allowed = Math.min(BURST_BYTES, this.#allowed + gained);
    this.#allowedAt = now;
    if (bytes > this.#allowed) return false;
    this.#allowed -= bytes;
    return true;
  }

  /** Hands what waits to the writer; resolves when all of it can be read. Never fails. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const exchanges = this.#waiting;
    if (exchanges.length === 0) return this.#written;
    this.#waiting = [];
    const { requests } = this.#world.stores;
    this.#written = this.#world
      .write((append) => {
        for (const exchange of exchanges) {
          const record = exchange.record();
          requests.insert(record);
          append("request", record.id, exchangeSummary(record));
        }
      })
      .catch(this.#troubled);
    return this.#written;
  }
}
