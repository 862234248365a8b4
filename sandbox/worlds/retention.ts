import type { Database } from "../storage/database.ts";
import { realTime } from "../storage/real-time.ts";
import type { OpenWorlds, World } from "./world.ts";

const CHECK_EVERY_MS = 5_000;
/** Length of a work slice and of the pause after it, so that callers never wait longer than a slice. */
const SLICE_MS = 3;
const PAUSE_MS = 20;
/** Interval for rechecking skipped entries: their deliveries may have ended without a new entry. */
const REWIND_EVERY_MS = 3_600_000;

const HOUR_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;
/** Fraction of the limit that an oversized world is trimmed to, which avoids constant measuring. */
const TRIM_TO_FRACTION = 0.8;

const lengths = (...columns: readonly string[]): string =>
  columns.map((column) => `octet_length(${column})`).join(" + ");
const WIRE = lengths("request_headers", "request_body", "response_headers", "response_body");

/** Approximate size of a record: long columns, measured without reading them, plus index entries. */
const sizes = [
  `SELECT seq, 150 + ${lengths("data")} AS bytes FROM log`,
  `SELECT seq, 300 + ${WIRE} AS bytes FROM requests`,
  `SELECT seq, 300 + ${lengths("payload", "label")} AS bytes FROM events`,
  "SELECT seq, 400 AS bytes FROM deliveries",
  `SELECT seq, 150 + ${WIRE} AS bytes FROM attempts`,
] as const;
const MEASURED_ROWS = 256;

/** Finds pending deliveries of a trace. They must stay. */
const PENDING =
  "SELECT 1 FROM events e JOIN deliveries d ON d.event_seq = e.seq WHERE e.trace_id = ? AND d.status = 'pending' LIMIT 1";

/** Finds pinned calls. They must stay. */
const PINNED = "SELECT 1 FROM requests WHERE id = ? AND pinned = 1";

const DELETE_TRACE = [
  "DELETE FROM deliveries WHERE event_seq IN (SELECT seq FROM events WHERE trace_id = ?)",
  "DELETE FROM events WHERE trace_id = ?",
  "DELETE FROM requests WHERE id = ?",
  "DELETE FROM log WHERE trace_id = ?",
] as const;

/** Candidate traces in chronological order. */
const NEXT = [
  "SELECT seq, id AS trace_id, at FROM requests WHERE seq > @cursor",
  "SELECT seq, trace_id, at FROM events WHERE seq > @cursor",
  "SELECT seq, trace_id, at FROM log WHERE seq > @cursor ORDER BY seq LIMIT 1",
].join(" UNION ALL ");
/** All records of a trace. */
const DELIVERIES_OF_EVENTS = "FROM events e JOIN deliveries d ON d.event_seq = e.seq";
const TRACE_RECORDS = [
  "SELECT seq, at FROM requests WHERE id = @trace",
  "SELECT seq, at FROM events WHERE trace_id = @trace",
  "SELECT seq, at FROM log WHERE trace_id = @trace",
  `SELECT d.seq, d.created_at ${DELIVERIES_OF_EVENTS} WHERE e.trace_id = @trace`,
  `SELECT a.seq, a.started_at ${DELIVERIES_OF_EVENTS} JOIN attempts a ON a.delivery_seq = d.seq WHERE e.trace_id = @trace`,
].join(" UNION ALL ");
const NEWEST = `SELECT max(seq) AS seq, max(at) AS at FROM (${TRACE_RECORDS})`;

const DELETE_ENDED_SUBSCRIPTIONS =
  "DELETE FROM subscriptions WHERE ended_at IS NOT NULL AND pending = 0 AND delivered = 0 AND failed = 0";

interface RetainedEntry {
  readonly seq: number;
  readonly trace_id: string | null;
  readonly at: number;
}

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, PAUSE_MS).unref());

/** Runs in the world if its file is open; undefined otherwise. */
type RunInWorld = <T>(work: (world: World) => T) => T | undefined;

/**
 * Trims one world: deletes old traces, and the oldest ones beyond the size limit. A trace goes as a whole: calls, log
 * entries, events, deliveries and attempts.
 */
export class Trimming {
  readonly #inWorld: RunInWorld;
  readonly #maxMegabytes: number;
  /** Last entry checked for its age. */
  #cursor = 0;
  #rewoundAt = 0;
  /** Used bytes of the file from which the records must be measured again. */
  #measuredFrom = 0;
  #limit = 0;

  /** @param maxMegabytes mebibytes, an upper bound for the world's own setting */
  constructor(inWorld: RunInWorld, maxMegabytes: number) {
    this.#inWorld = inWorld;
    this.#maxMegabytes = maxMegabytes;
  }

  /** Trims the world to its limits, a few milliseconds at a time. */
  async run(now = realTime()): Promise<void> {
    if (now - this.#rewoundAt > REWIND_EVERY_MS) {
      this.#cursor = 0;
      this.#rewoundAt = now;
      this.#measuredFrom = 0;
    }
    const limits = this.#inWorld(({ db, stores }) => {
      const { max_age_hours, max_megabytes } = stores.settings.get("retention");
      return {
        since: db.toStored(now - max_age_hours * HOUR_MS),
        most: Math.min(max_megabytes, this.#maxMegabytes) * MEBIBYTE,
      };
    });
    if (!limits) return;
    for (let next: number | null = this.#cursor; next !== null; ) {
      this.#cursor = next;
      next = await this.#slice(next, limits.since, 0);
    }
    if (limits.most !== this.#limit) this.#measuredFrom = this.#limit = limits.most;
    const used = this.#used();
    if (used > Math.max(this.#limit, this.#measuredFrom)) await this.#toSize(used, this.#limit);
  }

  #used(): number {
    return this.#inWorld(({ db }) => db.usedBytes()) ?? 0;
  }

  async #toSize(used: number, most: number): Promise<void> {
    const recordBytes = await this.#measure();
    if (recordBytes === null) return;
    // The file also holds other data.
    this.#measuredFrom = used + most - recordBytes;
    if (recordBytes <= most) return;
    const stopAtBytes = used - (recordBytes - most * TRIM_TO_FRACTION);
    for (let cursor: number | null = 0; cursor !== null; )
      cursor = await this.#slice(cursor, Number.MAX_SAFE_INTEGER, stopAtBytes);
    // Records that must stay may keep the world above the limit for long.
    this.#measuredFrom = this.#used() + most * (1 - TRIM_TO_FRACTION);
  }

  /** Total bytes of the stored records; null if the world was closed meanwhile. */
  async #measure(): Promise<number | null> {
    let total = 0;
    for (const size of sizes) {
      for (let last: number | null = 0; last !== null; ) {
        const after: number = last;
        const found: { bytes: number | null; last: number | null } | undefined = this.#inWorld(({ db }) =>
          db.get(
            `SELECT sum(bytes) AS bytes, max(seq) AS last FROM (${size} WHERE seq > ? ORDER BY seq LIMIT ?)`,
            after,
            MEASURED_ROWS,
          ),
        );
        if (!found) return null;
        total += found.bytes ?? 0;
        last = found.last;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return total;
  }

  /**
   * Checks some entries after the cursor, and deletes traces whose entries are all older than `since`.
   *
   * @param since in milliseconds since the world's epoch
   * @param stopAtBytes used bytes of the file at which to stop
   * @returns the last checked entry; null when finished
   */
  async #slice(cursor: number, since: number, stopAtBytes: number): Promise<number | null> {
    const lastChecked = await this.#inWorld((world) => {
      const { db, stores } = world;
      if (db.usedBytes() <= stopAtBytes || !findNext(db, cursor, since)) return null;
      return world.write(() => {
        let last = cursor;
        let trimmed = 0;
        const until = performance.now() + SLICE_MS;
        while (performance.now() < until && db.usedBytes() > stopAtBytes) {
          const next = findNext(db, last, since);
          if (!next) break;
          last = next.seq;
          trimmed = Math.max(trimmed, deleteTrace(db, next, since));
        }
        if (trimmed === 0) return last;
        stores.log.noteTrimmed(trimmed);
        stores.requests.clearCaches();
        db.run(DELETE_ENDED_SUBSCRIPTIONS);
        return last;
      });
    });
    await pause();
    return lastChecked ?? null;
  }
}

/** Next entry if it is old enough. Entries are chronological, so all later ones are younger. */
const findNext = (db: Database, cursor: number, since: number): RetainedEntry | undefined => {
  const next = db.get<RetainedEntry>(NEXT, { cursor });
  return next && next.at < since ? next : undefined;
};

/** @returns the newest deleted entry; 0 if the trace must stay */
const deleteTrace = (db: Database, { seq, trace_id }: RetainedEntry, since: number): number => {
  if (trace_id === null) {
    db.run("DELETE FROM log WHERE seq = ?", seq);
    return seq;
  }
  const newest = db.get<{ seq: number | null; at: number }>(NEWEST, { trace: trace_id });
  if (!newest?.seq || newest.at >= since) return 0;
  if ([PENDING, PINNED].some((reason) => db.get(reason, trace_id) !== undefined)) return 0;
  for (const statement of DELETE_TRACE) db.run(statement, trace_id);
  return newest.seq;
};

/** Trims all open worlds. Closed ones are trimmed when they open again. */
export class Retention {
  readonly #worlds: OpenWorlds;
  readonly #maxMegabytes: number;
  readonly #onError: (error: unknown) => void;
  readonly #trimmings = new Map<string, Trimming>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /**
   * @param maxMegabytes mebibytes, an upper bound for the worlds' own settings
   * @param onError receives errors, such as a full disk; the next round retries
   */
  constructor(worlds: OpenWorlds, maxMegabytes: number, onError: (error: unknown) => void) {
    this.#worlds = worlds;
    this.#maxMegabytes = maxMegabytes;
    this.#onError = onError;
  }

  start(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#round().then(() => this.start()), CHECK_EVERY_MS).unref();
  }

  async #round(): Promise<void> {
    const names = new Set(this.#worlds.openNames());
    for (const name of this.#trimmings.keys()) if (!names.has(name)) this.#trimmings.delete(name);
    for (const name of names) {
      const inWorld: RunInWorld = (work) => (this.#stopped ? undefined : this.#worlds.withOpenWorld(name, work));
      const trimming = this.#trimmings.get(name) ?? new Trimming(inWorld, this.#maxMegabytes);
      this.#trimmings.set(name, trimming);
      await trimming.run().catch(this.#onError);
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
