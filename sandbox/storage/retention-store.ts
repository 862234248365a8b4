import fs from "node:fs";
import { defaultRetention, type Retention } from "../contract/control/retention-operations.ts";
import { madeAt } from "../new-id.ts";
import type { Database } from "./database.ts";
import { type RecordStream, recordSizes, recordsAfter } from "./kept-records.ts";
import type { LogStore } from "./log-store.ts";

/** A record that may be forgotten one day. Times are real, milliseconds since 1970. */
export interface KeptRecord {
  readonly seq: number;
  /** When it was made: records stand in this order. */
  readonly since: number;
  /** When it last changed; null while it waits itself, or something that is kept belongs to it. */
  readonly settled: number | null;
  readonly trace_id: string | null;
  /** How much it takes, about. */
  readonly bytes: number;
}

type Stored = KeptRecord & { readonly id: string | null };

/** What was made longer before its world, or later, has a clock or an id that says nothing. */
const ODD_MS = 86_400_000;
/** What belongs to a trace begins no longer before the first delivery that is queued for it. */
const BEFORE_QUEUED_MS = 60_000;

/** Places after which nothing was looked at, in each stream. */
export type Places = Record<RecordStream, number>;

/** How much a world keeps of what happened in it, and the forgetting of what is more. */
export class RetentionStore {
  readonly #db: Database;
  readonly #log: LogStore;
  #awaitedSince = Number.NEGATIVE_INFINITY;

  constructor(db: Database, log: LogStore) {
    this.#db = db;
    this.#log = log;
  }

  settings(): Retention {
    const stored = this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'retention'")?.value;
    return stored === undefined
      ? defaultRetention
      : { ...defaultRetention, ...(JSON.parse(stored) as Partial<Retention>) };
  }

  set(retention: Retention): void {
    this.#db.run(
      "INSERT INTO meta (key, value) VALUES ('retention', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      JSON.stringify(retention),
    );
  }

  /** How much of the file is in use, by records and all else. */
  usedBytes(): number {
    const found = this.#db.get<{ bytes: number }>(
      "SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
    );
    return found?.bytes ?? 0;
  }

  /** Some records of a stream after a place, in their order. The newest of all is never among them: places follow it. */
  after(stream: RecordStream, place: number, limit: number): KeptRecord[] {
    const found = this.#db.all<Stored>(recordsAfter[stream], place, limit + 1);
    return found
      .slice(0, limit)
      .slice(0, found.length - 1)
      .map((row) => this.#record(stream, row));
  }

  #record(stream: RecordStream, { seq, bytes, trace_id, id, ...row }: Stored): KeptRecord {
    const since = stream === "events" ? this.#eventTime(id ?? "", row.since) : this.#db.fromStored(row.since);
    const settled = stream === "events" && row.settled !== null ? since : this.#db.fromStored(row.settled);
    return { seq, since, settled, trace_id, bytes };
  }

  /** Its own stamp is by the world's clock, which may be far ahead; its id by the real one. */
  #eventTime(id: string, stored: number): number {
    const made = madeAt(id);
    const fits = made > this.#db.epoch - ODD_MS && made < Date.now() + ODD_MS;
    return fits ? made : this.#db.fromStored(stored);
  }

  /** Takes down what waits now, for the records that are looked at next: what is older than all of it needs no look. */
  lookAtWhatWaits(): void {
    const lanes = this.#db.all<{ seq: number }>("SELECT seq FROM lanes WHERE pending > 0");
    const oldest = lanes.flatMap(({ seq }) =>
      [0, 1].flatMap(
        (state) =>
          this.#db.get<{ at: number }>(
            "SELECT created_at AS at FROM deliveries WHERE lane = ? AND state = ? ORDER BY seq LIMIT 1",
            seq,
            state,
          )?.at ?? [],
      ),
    );
    const repeats = this.#db.get(
      "SELECT 1 FROM deliveries INDEXED BY deliveries_to_repeat WHERE repeats_id IS NOT NULL AND state < 2 LIMIT 1",
    );
    // What is sent once more may belong to a trace of any age.
    if (repeats !== undefined) this.#awaitedSince = Number.NEGATIVE_INFINITY;
    else if (oldest.length === 0) this.#awaitedSince = Number.POSITIVE_INFINITY;
    else this.#awaitedSince = this.#db.fromStored(Math.min(...oldest)) - BEFORE_QUEUED_MS;
  }

  #waits(traceId: string): boolean {
    const found = this.#db.get(
      // In this order: the entries of the trace say which deliveries were queued for it, and of which little is read.
      "SELECT 1 FROM log l CROSS JOIN json_each(l.entries) told CROSS JOIN deliveries d ON d.id = told.value ->> '$.data.id' " +
        "WHERE l.trace_id = ? AND told.value ->> '$.kind' = 'delivery' AND d.state < 2 LIMIT 1",
      traceId,
    );
    return found !== undefined;
  }

  /** Whether something of its trace waits to be delivered: all of that is kept together. */
  isAwaited({ trace_id, since }: Pick<KeptRecord, "trace_id" | "since">): boolean {
    return trace_id !== null && since >= this.#awaitedSince && this.#waits(trace_id);
  }

  /** Forgets neighbours in a stream, and up to where the log can no longer tell all. Call inside a write. */
  forget(stream: RecordStream, neighbours: readonly KeptRecord[]): void {
    const [first, last] = [neighbours[0], neighbours.at(-1)];
    if (!first || !last) return;
    this.#db.run(`DELETE FROM ${stream} WHERE seq BETWEEN ? AND ?`, first.seq, last.seq);
    if (stream === "events") return;
    if (stream === "deliveries") this.#log.loseUntil(Math.max(...neighbours.map(({ settled }) => settled ?? 0)));
    else this.#log.lose(last.seq);
    this.#log.noteLost();
  }

  /** Forgets what all deliveries of a subscription shared that has ended, when none of them is kept. */
  forgetLanes(): void {
    this.#db.run(
      "DELETE FROM lanes WHERE pending = 0 AND delivered = 0 AND failed = 0 AND subscription_id NOT IN (SELECT id FROM subscriptions)",
    );
  }

  /** Measures some records of a stream after a place. `last` is null when there are none. */
  measure(
    stream: RecordStream,
    place: number,
    limit: number,
  ): { readonly bytes: number; readonly last: number | null } {
    const found = this.#db.get<{ bytes: number | null; last: number | null }>(
      `SELECT sum(bytes) AS bytes, max(seq) AS last FROM (${recordSizes[stream]})`,
      place,
      limit,
    );
    return { bytes: found?.bytes ?? 0, last: found?.last ?? null };
  }

  /** Folds the log of changes into the file when it has grown long, which waits for the disk. @returns whether it had */
  foldChanges(longBytes: number): boolean {
    const size = fs.statSync(`${this.#db.handle.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size < longBytes) return false;
    this.#db.handle.pragma("wal_checkpoint(TRUNCATE)");
    return true;
  }
}
