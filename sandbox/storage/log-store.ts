import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import type { Database } from "./database.ts";

interface Stored {
  readonly seq: number;
  readonly kind: LiveKind;
  readonly at: number;
  readonly trace_id: string | null;
  readonly data: string;
}

const SELECT = "SELECT seq, kind, at, trace_id, data FROM log";

/** The world's ordered log: what the live feed sends and resumes from. */
export class LogStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  append<K extends LiveKind>(kind: K, at: number, traceId: string | null, data: LiveData[K]): LiveEntry {
    const { rowid } = this.#db.run(
      "INSERT INTO log (kind, at, trace_id, data) VALUES (?, ?, ?, ?)",
      kind,
      this.#db.toStored(at),
      traceId,
      JSON.stringify(data),
    );
    return { id: rowid, kind, at: new Date(at).toISOString(), trace_id: traceId, data } as LiveEntry;
  }

  readonly #entry = (row: Stored): LiveEntry => {
    const at = new Date(this.#db.fromStored(row.at)).toISOString();
    return { id: row.seq, kind: row.kind, at, trace_id: row.trace_id, data: JSON.parse(row.data) } as LiveEntry;
  };

  /** At most `limit` entries after `id`, in order. */
  after(id: number, limit: number): LiveEntry[] {
    return this.#db.all<Stored>(`${SELECT} WHERE seq > ? ORDER BY seq LIMIT ?`, id, limit).map(this.#entry);
  }

  ofTrace(traceId: string): LiveEntry[] {
    return this.#db.all<Stored>(`${SELECT} WHERE trace_id = ? ORDER BY seq`, traceId).map(this.#entry);
  }

  lastId(): number {
    return this.#db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'log'")?.seq ?? 0;
  }

  /** Lets the next entry be numbered after `id`: a world seeded anew must not reuse ids its readers have seen. */
  continueAfter(id: number): void {
    this.#db.run(
      "INSERT INTO sqlite_sequence (name, seq) SELECT 'log', ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'log')",
      id,
    );
    this.#db.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'log'", id);
    this.#db.run(
      "INSERT INTO meta (key, value) VALUES ('log_start', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      String(id),
    );
  }

  /** The id a reader must have seen, or a later one, to go on without a gap: before it is another world, or forgotten. */
  gaplessFrom(): number {
    const start = this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'log_start'")?.value;
    const oldest = this.#db.get<{ seq: number }>("SELECT seq FROM log ORDER BY seq LIMIT 1")?.seq;
    return Math.max(Number(start ?? 0), oldest === undefined ? 0 : oldest - 1);
  }

  /** Forgets entries before `id`. */
  trimBefore(id: number): void {
    this.#db.run("DELETE FROM log WHERE seq < ?", id);
  }
}
