import type { ExchangeRecord } from "../storage/requests-store.ts";
import type { World } from "../worlds/world.ts";

const FLUSH_MS = 20;
const KEPT_REQUESTS = 20_000;
const KEPT_LOG = 60_000;
const TRIM_EVERY = 2_000;

interface Waiting {
  records: ExchangeRecord[];
  timer: NodeJS.Timeout | null;
  sinceTrim: number;
}

/**
 * Writes exchanges into their world's log of requests, many in one go and after they were answered, so that keeping
 * them costs callers nothing.
 */
export class Recorder {
  readonly #waiting = new Map<World, Waiting>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(world: World, record: ExchangeRecord): void {
    const waiting = this.#waiting.get(world) ?? { records: [], timer: null, sinceTrim: 0 };
    this.#waiting.set(world, waiting);
    waiting.records.push(record);
    waiting.timer ??= setTimeout(() => this.#flush(world, waiting), FLUSH_MS);
  }

  #flush(world: World, waiting: Waiting): void {
    waiting.timer = null;
    const { records } = waiting;
    waiting.records = [];
    if (world.closed) {
      this.#waiting.delete(world);
      return;
    }
    waiting.sinceTrim += records.length;
    const trim = waiting.sinceTrim >= TRIM_EVERY;
    if (trim) waiting.sinceTrim = 0;
    world
      .write((append) => {
        const { requests, log } = world.stores;
        for (const record of records) {
          requests.insert(record);
          const {
            request_headers: _h,
            request_body,
            response_headers: _r,
            response_body,
            job_id: _j,
            procurement_id: _p,
            at,
            ...summary
          } = record;
          append("request", record.trace_id, {
            ...summary,
            at: new Date(at).toISOString(),
            request_bytes: request_body.length,
            response_bytes: response_body.length,
          });
        }
        if (trim) {
          requests.trim(KEPT_REQUESTS);
          log.trimBefore(log.lastId() - KEPT_LOG);
        }
      })
      .catch(this.#onError);
  }

  /** Forgets a world that was reset. */
  forget(world: World): void {
    const waiting = this.#waiting.get(world);
    if (waiting?.timer) clearTimeout(waiting.timer);
    this.#waiting.delete(world);
  }

  /** Hands everything that waits to the writers; the worlds' close writes it. */
  close(): void {
    for (const [world, waiting] of this.#waiting) {
      if (waiting.timer) clearTimeout(waiting.timer);
      if (waiting.records.length > 0) this.#flush(world, waiting);
    }
    this.#waiting.clear();
  }
}
