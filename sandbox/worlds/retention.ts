import type { World } from "./world.ts";

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

/** Neither what waits to be delivered nor the newest event and delivery, whose numbers would be given again. */
const MUST_STAY =
  "SELECT 1 FROM events e LEFT JOIN deliveries d ON d.event_seq = e.seq WHERE e.trace_id = ? AND " +
  "(d.status = 'pending' OR d.seq = (SELECT max(seq) FROM deliveries) OR e.seq = (SELECT max(seq) FROM events)) LIMIT 1";

/** Somebody keeps it. */
const PINNED = "SELECT 1 FROM requests WHERE id = ? AND pinned = 1";

/** Of a trace, oldest first; the log itself last, because it is looked through for traces. */
const DELETE_TRACE = [
  "DELETE FROM deliveries WHERE event_seq IN (SELECT seq FROM events WHERE trace_id = ?)",
  "DELETE FROM events WHERE trace_id = ?",
  "DELETE FROM requests WHERE id = ?",
  "DELETE FROM log WHERE trace_id = ?",
] as const;

const DELETE_ENDED_SUBSCRIPTIONS =
  "DELETE FROM subscriptions WHERE ended_at IS NOT NULL AND pending = 0 AND delivered = 0 AND failed = 0";

interface Oldest {
  readonly seq: number;
  readonly trace_id: string | null;
}

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, PAUSE_MS).unref());

/**
 * Deletes, of one world, what is older than it keeps and the oldest of what is too much: exchanges, the log, events,
 * deliveries and attempts, a whole trace at a time, found by its entries in the log.
 */
export class Trimming {
  readonly #world: World;
  readonly #stopped: () => boolean;
  /** The last entry that was looked at for its age. */
  #cursor = 0;
  #rewoundAt = 0;

  constructor(world: World, stopped = (): boolean => false) {
    this.#world = world;
    this.#stopped = () => stopped() || world.closed;
  }

  /** Brings the world within its limits, a few milliseconds at a time. */
  async run(now = Date.now()): Promise<void> {
    const { db, stores } = this.#world;
    const { max_age_hours, max_megabytes } = stores.settings.get("retention");
    if (now - this.#rewoundAt > REWIND_EVERY_MS) {
      this.#cursor = 0;
      this.#rewoundAt = now;
    }
    const since = db.toStored(now - max_age_hours * HOUR_MS);
    while (!this.#stopped() && this.#next(this.#cursor, since)) this.#cursor = await this.#slice(this.#cursor, since);
    const most = max_megabytes * MEBIBYTE;
    // The file holds more than records: how much they are is measured only when all of it is too much.
    if (!this.#stopped() && db.usedBytes() > most) await this.#toSize(most);
  }

  async #toSize(most: number): Promise<void> {
    const { db } = this.#world;
    const before = db.usedBytes();
    const kept = await this.#measure();
    if (kept <= most) return;
    const enough = before - (kept - most * DOWN_TO);
    const always = Number.MAX_SAFE_INTEGER;
    for (let cursor = 0; !this.#stopped() && db.usedBytes() > enough && this.#next(cursor, always); )
      cursor = await this.#slice(cursor, always, enough);
  }

  /** How many bytes the records take that are kept. */
  async #measure(): Promise<number> {
    const { db } = this.#world;
    let total = 0;
    for (const size of sizes) {
      for (let last: number | null = 0; last !== null && !this.#stopped(); ) {
        const found: { bytes: number | null; last: number | null } | undefined = db.get(
          `SELECT sum(bytes) AS bytes, max(seq) AS last FROM (${size} WHERE seq > ? ORDER BY seq LIMIT ?)`,
          last,
          MEASURED_AT_ONCE,
        );
        total += found?.bytes ?? 0;
        last = found?.last ?? null;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return total;
  }

  #next(cursor: number, since: number): Oldest | undefined {
    const next = "SELECT seq, trace_id FROM log WHERE seq > ? AND at < ? ORDER BY seq LIMIT 1";
    return this.#world.db.get<Oldest>(next, cursor, since);
  }

  /**
   * Looks at some entries after one, and deletes the traces of which all entries are older than a time.
   *
   * @param since in milliseconds since the world's epoch
   * @param enough when no more than this is used of the file, it stops
   * @returns the last entry that was looked at
   */
  async #slice(cursor: number, since: number, enough = 0): Promise<number> {
    const { db, stores } = this.#world;
    let last = cursor;
    await this.#world.write(() => {
      // A write may run twice.
      last = cursor;
      let trimmed = 0;
      const until = performance.now() + SLICE_MS;
      while (performance.now() < until && db.usedBytes() > enough) {
        const next = this.#next(last, since);
        if (!next) break;
        last = next.seq;
        trimmed = Math.max(trimmed, this.#delete(next, since));
      }
      if (trimmed === 0) return;
      stores.log.noteTrimmed(trimmed);
      db.run(DELETE_ENDED_SUBSCRIPTIONS);
    });
    await pause();
    return last;
  }

  /** @returns the newest entry that was deleted; 0: none, because its trace must stay */
  #delete({ seq, trace_id }: Oldest, since: number): number {
    const { db } = this.#world;
    if (trace_id === null) {
      db.run("DELETE FROM log WHERE seq = ?", seq);
      return seq;
    }
    const newest = db.get<{ seq: number; at: number }>(
      "SELECT seq, at FROM log WHERE trace_id = ? ORDER BY seq DESC LIMIT 1",
      trace_id,
    );
    if (!newest || newest.at >= since) return 0;
    if ([MUST_STAY, PINNED].some((kept) => db.get(kept, trace_id) !== undefined)) return 0;
    for (const statement of DELETE_TRACE) db.run(statement, trace_id);
    return newest.seq;
  }
}

/** Keeps all open worlds within their limits; a closed one is looked at when it is opened again. */
export class Retention {
  readonly #worlds: () => readonly World[];
  readonly #troubled: (error: unknown) => void;
  readonly #known = new WeakMap<World, Trimming>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  /** @param troubled is given what went wrong in a world, as on a full disk: it runs again later */
  constructor(worlds: () => readonly World[], troubled: (error: unknown) => void) {
    this.#worlds = worlds;
    this.#troubled = troubled;
  }

  start(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#round().then(() => this.start()), LOOK_EVERY_MS).unref();
  }

  async #round(): Promise<void> {
    for (const world of this.#worlds()) {
      if (this.#stopped) return;
      const trimming = this.#known.get(world) ?? new Trimming(world, () => this.#stopped);
      this.#known.set(world, trimming);
      await trimming.run().catch(this.#troubled);
    }
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
