import type { RequestRow } from "../contract/control/rows.ts";
import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import type { Database } from "./database.ts";
import { REQUEST_SUMMARY, requestRow, type StoredSummary } from "./requests-store.ts";
import { keptDelivery, toldDelivery } from "./told-deliveries.ts";
import { keptEvent, toldEvent } from "./told-events.ts";

/** An entry of the log before it has a place in it. `event`: the place of the event it is about among the events. */
export type Told = {
  [K in LiveKind]: { readonly kind: K; readonly data: LiveData[K]; readonly event?: number | undefined };
}[LiveKind];

interface Stored {
  readonly seq: number;
  readonly at: number;
  readonly trace_id: string | null;
  readonly entries: string;
}

/** Some of the log. */
export interface LogPage {
  readonly entries: readonly LiveEntry[];
  /** All up to here was read, also where nothing is left to tell of it; null: all there is. */
  readonly through: number | null;
}

const SELECT = "SELECT seq, at, trace_id, entries FROM log";
const REQUESTS = `SELECT ${REQUEST_SUMMARY} FROM requests`;
const IDS_PER_MILLISECOND = 1_000;
/** A row holds no more entries, so that to keep so many rows is to keep so much. */
const MOST_IN_A_ROW = 64;

/** An entry as it is kept. */
const kept = (told: Told): object => {
  const { kind, data, event } = told;
  if (told.kind === "delivery") return { kind, data: keptDelivery(told.data) };
  return told.kind === "event" && event !== undefined ? { kind, data: keptEvent(event, told.data) } : { kind, data };
};

/**
 * The world's ordered log: what the live feed sends and resumes from. It is made of two tables, numbered together: what
 * mutations told, a row for each numbered by its last entry, and the exchanges.
 */
export class LogStore {
  readonly #db: Database;
  #last: number | undefined;
  #lost = 0;
  #lostNoted = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * The id of the newest entry, or the place where the first will follow. An open log begins at the present: ids that
   * were given before a crash, or in an earlier world of the same name, are never given again.
   */
  lastId(): number {
    this.#last ??= Math.max(
      this.#db.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM log")?.seq ?? 0,
      this.#db.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM requests")?.seq ?? 0,
      Date.now() * IDS_PER_MILLISECOND,
    );
    return this.#last;
  }

  /** The next id in the log's order, for an entry that is kept elsewhere or written later. */
  take(count = 1): number {
    this.#last = this.lastId() + count;
    return this.#last;
  }

  /**
   * Writes what was told of one trace, or of many: a delivery says itself of which it is.
   *
   * @param watched false: nobody is there to be sent the entries
   * @returns the entries as the feed sends them, or none
   */
  append(at: number, traceId: string | null, told: readonly Told[], watched = true): LiveEntry[] {
    if (told.length > MOST_IN_A_ROW) {
      const [first, rest] = [told.slice(0, MOST_IN_A_ROW), told.slice(MOST_IN_A_ROW)];
      return [...this.append(at, traceId, first, watched), ...this.append(at, traceId, rest, watched)];
    }
    const last = this.take(told.length);
    this.#db.run(
      "INSERT INTO log (seq, at, trace_id, entries) VALUES (?, ?, ?, ?)",
      last,
      this.#db.toStored(at),
      traceId,
      JSON.stringify(told.map(kept)),
    );
    return watched ? this.#numbered(last, at, traceId, told) : [];
  }

  #numbered(last: number, at: number, traceId: string | null, told: readonly (Told | null)[]): LiveEntry[] {
    const first = last - told.length + 1;
    const time = new Date(at).toISOString();
    return told.flatMap((one, index) => {
      if (one === null) return [];
      const trace_id = one.kind === "delivery" ? one.data.trace_id : traceId;
      return { id: first + index, kind: one.kind, at: time, trace_id, data: one.data } as LiveEntry;
    });
  }

  readonly #told = (one: Told): Told | null => {
    if (one.kind === "delivery") {
      const data = toldDelivery(this.#db, one.data);
      return data && { kind: one.kind, data };
    }
    if (one.kind === "event") {
      const data = toldEvent(this.#db, one.data);
      return data && { kind: one.kind, data };
    }
    return one;
  };

  readonly #entries = (row: Stored): LiveEntry[] =>
    this.#numbered(
      row.seq,
      this.#db.fromStored(row.at),
      row.trace_id,
      (JSON.parse(row.entries) as Told[]).map(this.#told),
    );

  readonly #request = (row: StoredSummary): LiveEntry => requestEntry(row.seq, requestRow(this.#db, row));

  /** What is in the file after `id`: so many rows of mutations and exchanges each, and what was told in them, in order. */
  page(id: number, rows: number): LogPage {
    const told = this.#db.all<Stored>(`${SELECT} WHERE seq > ? ORDER BY seq LIMIT ?`, id, rows);
    const exchanges = this.#db.all<StoredSummary>(`${REQUESTS} WHERE seq > ? ORDER BY seq LIMIT ?`, id, rows);
    // Beyond the end of the one that goes on there may be what was not read.
    const ends = [told, exchanges].flatMap((some) => (some.length < rows ? [] : (some.at(-1)?.seq ?? [])));
    const through = ends.length === 0 ? null : Math.min(...ends);
    const entries = inOrder(told.flatMap(this.#entries), exchanges.map(this.#request));
    return { through, entries: entries.filter((entry) => entry.id > id && entry.id <= (through ?? entry.id)) };
  }

  /** The newest `count` entries, oldest first. */
  newest(count: number): LiveEntry[] {
    const told = this.#db.all<Stored>(`${SELECT} ORDER BY seq DESC LIMIT ?`, count).reverse().flatMap(this.#entries);
    const exchanges = this.#db
      .all<StoredSummary>(`${REQUESTS} ORDER BY seq DESC LIMIT ?`, count)
      .reverse()
      .map(this.#request);
    return inOrder(told, exchanges).slice(-count);
  }

  /** What mutations told of a trace, in order; its exchange is in the requests. */
  ofTrace(traceId: string): LiveEntry[] {
    return this.#db.all<Stored>(`${SELECT} WHERE trace_id = ? ORDER BY seq`, traceId).flatMap(this.#entries);
  }

  /** The id a reader must have seen, or a later one, to go on without a gap: before it is another world, or forgotten. */
  gaplessFrom(): number {
    return Math.max(this.#noted(), this.#lost, this.#db.epoch * IDS_PER_MILLISECOND);
  }

  #noted(): number {
    return Number(this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'log_trimmed'")?.value ?? 0);
  }

  /** Up to this id not everything is kept: it was forgotten, or never written down. */
  lose(through: number): void {
    this.#lost = Math.max(this.#lost, through);
  }

  /** The same, of all that was told until a time: no id is ahead of its time. */
  loseUntil(at: number): void {
    this.lose(Math.min(this.lastId(), at * IDS_PER_MILLISECOND));
  }

  /** Writes down how far something was lost. Call inside a write. */
  noteLost(): void {
    if (this.#lost <= this.#lostNoted) return;
    this.#lostNoted = this.#lost;
    this.#db.run(
      "INSERT INTO meta (key, value) VALUES ('log_trimmed', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value " +
        "WHERE CAST(value AS INTEGER) < CAST(excluded.value AS INTEGER)",
      String(this.#lost),
    );
  }

  /** How many rows there are after an id, those of exchanges among them, as far as `most`. */
  rowsAfter(id: number, most: number): number {
    const after = (table: string): number =>
      this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE seq > ? LIMIT ?)`, id, most)
        ?.n ?? 0;
    return Math.min(most, after("log") + after("requests"));
  }
}

/** An exchange as the feed sends it. */
export const requestEntry = (id: number, row: RequestRow): LiveEntry => ({
  id,
  kind: "request",
  at: row.at,
  trace_id: row.trace_id,
  data: row,
});

/** Two lists that are each in order, as one. */
const inOrder = (one: readonly LiveEntry[], other: readonly LiveEntry[]): LiveEntry[] =>
  one.length === 0 ? [...other] : other.length === 0 ? [...one] : [...one, ...other].sort((a, b) => a.id - b.id);
