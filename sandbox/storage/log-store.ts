import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import type { Database } from "./database.ts";
import { RequestsStore } from "./requests-store.ts";
import { SettingsStore } from "./settings-store.ts";

/** An entry of the log, its data as the JSON text that is sent; that of an exchange is kept as the exchange, and no second time. */
export type LogRow = Omit<LiveEntry, "data"> & { readonly data: string };

/** What an entry is written with; an exchange is there already. */
export type LogData<K extends LiveKind> = K extends "request" ? null : LiveData[K];

type Stored = Omit<LogRow, "at"> & { readonly at: number };

const SELECT = "SELECT seq AS id, kind, at, trace_id, data FROM log";
/** The data of an exchange is that of the exchange of its trace. */
const KEPT_ELSEWHERE = "null";
const INSERT = "INSERT INTO log (seq, kind, at, trace_id, data) VALUES (?, ?, ?, ?, ?)";
const IDS_PER_MILLISECOND = 1_000;

/** A row as the entry it is. */
export const entryOf = ({ data, ...row }: LogRow): LiveEntry => ({ ...row, data: JSON.parse(data) }) as LiveEntry;

/** The world's ordered log: what the live feed sends and resumes from, a row for each entry. */
export class LogStore {
  readonly #db: Database;
  readonly #settings: SettingsStore;
  readonly #requests: RequestsStore;
  #last: number | undefined;

  constructor(db: Database) {
    this.#db = db;
    this.#settings = new SettingsStore(db);
    this.#requests = new RequestsStore(db);
  }

  readonly #row = (stored: Stored): LogRow => ({
    ...stored,
    at: new Date(this.#db.fromStored(stored.at)).toISOString(),
    data:
      stored.data === KEPT_ELSEWHERE
        ? JSON.stringify(this.#requests.ofTrace(stored.trace_id ?? "") ?? null)
        : stored.data,
  });

  /**
   * The id of the newest entry, or that after which the first will follow. Ids count microseconds from the moment the
   * log is opened: those given before a crash, or in an earlier world of the same name, are never given again.
   */
  lastId(): number {
    this.#last ??= Math.max(
      this.#db.get<{ id: number | null }>("SELECT max(seq) AS id FROM log")?.id ?? 0,
      Date.now() * IDS_PER_MILLISECOND,
    );
    return this.#last;
  }

  /** Call inside a write. */
  append<K extends LiveKind>(at: number, kind: K, traceId: string | null, data: LogData<K>): LogRow {
    const id = this.lastId() + 1;
    const isExchange = kind === "request";
    const text = isExchange ? KEPT_ELSEWHERE : JSON.stringify(data);
    this.#db.run(INSERT, id, kind, this.#db.toStored(at), traceId, text);
    this.#last = id;
    const entry = { id, kind, at: new Date(at).toISOString(), trace_id: traceId };
    if (!isExchange) return { ...entry, data: text };
    const requests = this.#requests;
    return {
      ...entry,
      // Read only for readers that are connected.
      get data() {
        return JSON.stringify(requests.ofTrace(traceId ?? "") ?? null);
      },
    };
  }

  /** The next entries after an id, in order. */
  after(id: number, limit: number): LogRow[] {
    return this.#db.all<Stored>(`${SELECT} WHERE seq > ? ORDER BY seq LIMIT ?`, id, limit).map(this.#row);
  }

  /** The newest `count` entries, oldest first. */
  newest(count: number): LogRow[] {
    return this.#db.all<Stored>(`${SELECT} ORDER BY seq DESC LIMIT ?`, count).map(this.#row).reverse();
  }

  /** What happened in a trace, in order. */
  ofTrace(traceId: string): LiveEntry[] {
    return this.#db
      .all<Stored>(`${SELECT} WHERE trace_id = ? ORDER BY seq`, traceId)
      .map((stored) => entryOf(this.#row(stored)));
  }

  /** How many entries there are after an id, as far as `most`. */
  countAfter(id: number, most: number): number {
    const count = "SELECT count(*) AS n FROM (SELECT 1 FROM log WHERE seq > ? LIMIT ?)";
    return this.#db.get<{ n: number }>(count, id, most)?.n ?? 0;
  }

  /** The id a reader must have seen, or a later one, to go on without a gap: before it is another world, or deleted. */
  gaplessFrom(): number {
    const [trimmed, restored] = [this.#settings.get("log_trimmed"), this.#settings.get("log_restored")];
    return Math.max(trimmed, restored, this.#db.epoch * IDS_PER_MILLISECOND);
  }

  /** Notes that entries up to an id were deleted. Call inside the write that deletes them. */
  noteTrimmed(through: number): void {
    if (through > this.#settings.get("log_trimmed")) this.#settings.set("log_trimmed", through);
  }
}
