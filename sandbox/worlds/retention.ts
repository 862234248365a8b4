import type { Database } from "../storage/database.ts";
import { realTime } from "../storage/real-time.ts";
import type { OpenWorlds, World } from "./world.ts";

const LOOK_EVERY_MS = 5_000;
/** So long it works in one go, and so long it pauses after that: whoever calls meanwhile waits no longer. */
const SLICE_MS = 3;
const PAUSE_MS = 20;
/** Entries that were passed over are looked at again: what they waited for may have ended without another entry. */
const REWIND_EVERY_MS = 3_600_000;

const HOUR_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;
/** A world that holds too much is brought down to this part of what it may keep, so that it is not measured all the time. */
const DOWN_TO = 0.8;

const lengths = (...columns: readonly string[]): string =>
  columns.map((column) => `octet_length(${column})`).join(" + ");
const WIRE = lengths("request_headers", "request_body", "response_headers", "response_body");

/** What a record takes, about: its long columns, whose lengths are read without them, and its entries in indexes. */
const sizes = [
  `SELECT seq, 150 + ${lengths("data")} AS bytes FROM log`,
  `SELECT seq, 300 + ${WIRE} AS bytes FROM requests`,
  `SELECT seq, 300 + ${lengths("payload", "label")} AS bytes FROM events`,
  "SELECT seq, 400 AS bytes FROM deliveries",
  `SELECT seq, 150 + ${WIRE} AS bytes FROM attempts`,
] as const;
const MEASURED_AT_ONCE = 256;

/** Selects pending deliveries of a trace: they must stay. */
const PENDING =
  "SELECT 1 FROM events e JOIN deliveries d ON d.event_seq = e.seq WHERE e.trace_id = ? AND d.status = 'pending' LIMIT 1";

/** Somebody keeps it. */
const PINNED = "SELECT 1 FROM requests WHERE id = ? AND pinned = 1";

const DELETE_TRACE = [
  "DELETE FROM deliveries WHERE event_seq IN (SELECT seq FROM events WHERE trace_id = ?)",
  "DELETE FROM events WHERE trace_id = ?",
  "DELETE FROM requests WHERE id = ?",
  "DELETE FROM log WHERE trace_id = ?",
] as const;

/** What traces are found by, in the order it happened. */
const NEXT = [
  "SELECT seq, id AS trace_id, at FROM requests WHERE seq > @cursor",
  "SELECT seq, trace_id, at FROM events WHERE seq > @cursor",
  "SELECT seq, trace_id, at FROM log WHERE seq > @cursor ORDER BY seq LIMIT 1",
].join(" UNION ALL ");
/** All that happened in a trace. */
const OF_EVENTS = "FROM events e JOIN deliveries d ON d.event_seq = e.seq";
const OF_TRACE = [
  "SELECT seq, at FROM requests WHERE id = @trace",
  "SELECT seq, at FROM events WHERE trace_id = @trace",
  "SELECT seq, at FROM log WHERE trace_id = @trace",
  `SELECT d.seq, d.created_at ${OF_EVENTS} WHERE e.trace_id = @trace`,
  `SELECT a.seq, a.started_at ${OF_EVENTS} JOIN attempts a ON a.delivery_seq = d.seq WHERE e.trace_id = @trace`,
].join(" UNION ALL ");
const NEWEST = `SELECT max(seq) AS seq, max(at) AS at FROM (${OF_TRACE})`;

const DELETE_ENDED_SUBSCRIPTIONS =
  "DELETE FROM subscriptions WHERE ended_at IS NOT NULL AND pending = 0 AND delivered = 0 AND failed = 0";

interface Oldest {
  readonly seq: number;
  readonly trace_id: string | null;
  readonly at: number;
}

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, PAUSE_MS).unref());

/** Works in the world, as long as its file is open; undefined where it is not. */
type InWorld = <T>(work: (world: World) => T) => T | undefined;

/**
 * Deletes, of one world, what is older than it keeps and the oldest of what is too much: exchanges, the log, events,
 * deliveries and attempts, a whole trace at a time.
 */
export class Trimming {
  readonly #inWorld: InWorld;
  readonly #most: number;
  /** The last entry that was looked at for its age. */
  #cursor = 0;
  #rewoundAt = 0;
  /** How much of the file has to be in use until the records may have become too much: then they are measured. */
  #measuredFrom = 0;
  #limit = 0;

  /** @param most mebibytes that a world keeps, whatever it is set to */
  constructor(inWorld: InWorld, most: number) {
    this.#inWorld = inWorld;
    this.#most = most;
  }

  /** Brings the world within its limits, a few milliseconds at a time. */
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
        most: Math.min(max_megabytes, this.#most) * MEBIBYTE,
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
    const kept = await this.#measure();
    if (kept === null) return;
    // The file holds more than records.
    this.#measuredFrom = used + most - kept;
    if (kept <= most) return;
    const enough = used - (kept - most * DOWN_TO);
    for (let cursor: number | null = 0; cursor !== null; )
      cursor = await this.#slice(cursor, Number.MAX_SAFE_INTEGER, enough);
    // Records that must stay may keep the world above the limit for long.
    this.#measuredFrom = this.#used() + most * (1 - DOWN_TO);
  }

  /** How many bytes the records take that are kept; null: the world was closed meanwhile. */
  async #measure(): Promise<number | null> {
    let total = 0;
    for (const size of sizes) {
      for (let last: number | null = 0; last !== null; ) {
        const after: number = last;
        const found: { bytes: number | null; last: number | null } | undefined = this.#inWorld(({ db }) =>
          db.get(
            `SELECT sum(bytes) AS bytes, max(seq) AS last FROM (${size} WHERE seq > ? ORDER BY seq LIMIT ?)`,
            after,
            MEASURED_AT_ONCE,
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
   * Looks at some entries after one, and deletes the traces of which all entries are older than a time.
   *
   * @param since in milliseconds since the world's epoch
   * @param enough when no more than this is used of the file, it stops
   * @returns the last entry that was looked at; null: there is nothing more to do
   */
  async #slice(cursor: number, since: number, enough: number): Promise<number | null> {
    const looked = await this.#inWorld((world) => {
      const { db, stores } = world;
      if (db.usedBytes() <= enough || !nextIn(db, cursor, since)) return null;
      return world.write(() => {
        let last = cursor;
        let trimmed = 0;
        const until = performance.now() + SLICE_MS;
        while (performance.now() < until && db.usedBytes() > enough) {
          const next = nextIn(db, last, since);
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
    return looked ?? null;
  }
}

/** The next entry, if it is old enough. They are in the order of time: what follows one that is too young is younger. */
const nextIn = (db: Database, cursor: number, since: number): Oldest | undefined => {
  const next = db.get<Oldest>(NEXT, { cursor });
  return next && next.at < since ? next : undefined;
};

/** @returns the newest entry that was deleted; 0: none, because its trace must stay */
const deleteTrace = (db: Database, { seq, trace_id }: Oldest, since: number): number => {
  if (trace_id === null) {
    db.run("DELETE FROM log WHERE seq = ?", seq);
    return seq;
  }
  const newest = db.get<{ seq: number | null; at: number }>(NEWEST, { trace: trace_id });
  if (!newest?.seq || newest.at >= since) return 0;
  if ([PENDING, PINNED].some((kept) => db.get(kept, trace_id) !== undefined)) return 0;
  for (const statement of DELETE_TRACE) db.run(statement, trace_id);
  return newest.seq;
};

/** Keeps all open worlds within their limits; a closed one is looked at when it is opened again. */
export class Retention {
  readonly #worlds: OpenWorlds;
  readonly #most: number;
  readonly #troubled: (error: unknown) => void;
  readonly #known = new Map<string, Trimming>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  /**
   * @param most mebibytes that a world keeps, whatever it is set to
   * @param troubled is given what went wrong in a world, as on a full disk: it runs again later
   */
  constructor(worlds: OpenWorlds, most: number, troubled: (error: unknown) => void) {
    this.#worlds = worlds;
    this.#most = most;
    this.#troubled = troubled;
  }

  start(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#round().then(() => this.start()), LOOK_EVERY_MS).unref();
  }

  async #round(): Promise<void> {
    const names = new Set(this.#worlds.openNames());
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name);
    for (const name of names) {
      const inWorld: InWorld = (work) => (this.#stopped ? undefined : this.#worlds.lookIfOpen(name, work));
      const trimming = this.#known.get(name) ?? new Trimming(inWorld, this.#most);
      this.#known.set(name, trimming);
      await trimming.run().catch(this.#troubled);
    }
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
