import type { ExchangeRecord } from "../storage/requests-store.ts";
import type { World } from "../worlds/world.ts";

const FLUSH_MS = 20;
const KEPT_REQUESTS = 20_000;
const KEPT_LOG = 60_000;
const TRIM_EVERY = 2_000;

interface Waiting {
  readonly records: ExchangeRecord[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Writes exchanges into their world's log of requests, many in one go and after they were answered, so that keeping
 * them costs callers nothing.
 */
export class Recorder {
  readonly #waiting = new Map<World, Waiting>();
  /** Exchanges written since the oldest were last forgotten. */
  readonly #sinceTrim = new WeakMap<World, number>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(world: World, record: ExchangeRecord): void {
    const waiting = this.#waiting.get(world);
    if (waiting) waiting.records.push(record);
    else this.#waiting.set(world, { records: [record], timer: setTimeout(() => void this.settle(world), FLUSH_MS) });
  }

  /** Writes what waits for a world now; resolves when it can be read. */
  settle(world: World): Promise<void> {
    const waiting = this.#waiting.get(world);
    if (!waiting) return Promise.resolve();
    clearTimeout(waiting.timer);
    this.#waiting.delete(world);
    return world.closed ? Promise.resolve() : this.#write(world, waiting.records);
  }

  #write(world: World, records: readonly ExchangeRecord[]): Promise<void> {
    const since = (this.#sinceTrim.get(world) ?? 0) + records.length;
    const trim = since >= TRIM_EVERY;
    this.#sinceTrim.set(world, trim ? 0 : since);
    return world
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

  /** Hands everything that waits to the writers; the worlds' close writes it. */
  close(): void {
    for (const world of this.#waiting.keys()) void this.settle(world);
  }
}
