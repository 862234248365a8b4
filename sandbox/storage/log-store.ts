import type { StateChange } from "../contract/control/rows.ts";
import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import { type Database, numbered } from "./database.ts";
import { deliveryRow } from "./delivery-records.ts";
import type { EventsStore } from "./events-store.ts";
import type { OutboxStore } from "./outbox-store.ts";
import type { RequestsStore } from "./requests-store.ts";
import { SettingsStore } from "./settings-store.ts";

/** What no other table holds. */
export type LogKind = Exclude<LiveKind, "request" | "event" | "delivery">;

/** Adds to the world's log what happened. @param isAnswered asked when all is done: the answer says what it is now */
export type Append = <K extends LogKind>(
  kind: K,
  traceId: string | null,
  data: LiveData[K],
  isAnswered?: () => boolean,
) => void;

/** A change as it is kept: of what it was the difference, and what it is where the answer does not say it. */
type KeptChange = Omit<StateChange, "before" | "after"> & {
  readonly before?: unknown;
  readonly was?: object;
  readonly after?: unknown;
};

interface Stored {
  readonly kind: LogKind;
  readonly at: number;
  readonly trace_id: string | null;
  readonly data: string;
}

const INSERT = "INSERT INTO log (seq, kind, at, trace_id, data) VALUES (?, ?, ?, ?, ?)";
/** The entries of the feed, each by its table: a merge of tables that stand in this order. */
const ENTRIES = numbered.map((table) => `SELECT seq, '${table}' AS place FROM ${table}`);
const AFTER = `${ENTRIES.map((entries) => `${entries} WHERE seq > @after`).join(" UNION ALL ")} ORDER BY seq LIMIT @limit`;
const NEWEST = `${ENTRIES.join(" UNION ALL ")} ORDER BY seq DESC LIMIT @limit`;

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What of a thing was another before; undefined where that cannot be said field by field. */
const differenceOf = (before: unknown, after: unknown): object | undefined => {
  if (!isPlain(before) || !isPlain(after)) return undefined;
  const names = Object.keys(before);
  if (names.length !== Object.keys(after).length || !names.every((name) => Object.hasOwn(after, name)))
    return undefined;
  const differs = (name: string): boolean => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Object.fromEntries(names.filter(differs).map((name) => [name, before[name]]));
};

/** The world's ordered feed, and of its tables the one that holds what no other does. */
export class LogStore {
  readonly #db: Database;
  readonly #settings: SettingsStore;
  readonly #requests: RequestsStore;
  readonly #events: EventsStore;
  readonly #outbox: OutboxStore;

  constructor(db: Database, requests: RequestsStore, events: EventsStore, outbox: OutboxStore) {
    this.#db = db;
    this.#settings = new SettingsStore(db);
    this.#requests = requests;
    this.#events = events;
    this.#outbox = outbox;
  }

  /** The id of the newest entry, or that after which the first will follow. */
  lastId(): number {
    return this.#db.lastSeq;
  }

  /** Call inside a write. @param at real time @param isAnswered what a change made of something is what its call was answered */
  append<K extends LogKind>(at: number, kind: K, traceId: string | null, data: LiveData[K], isAnswered = false): void {
    this.insert(this.#db.nextSeq(), at, kind, traceId, data, isAnswered);
  }

  /** The same under a number that was taken before. */
  insert(seq: number, at: number, kind: LogKind, traceId: string | null, data: unknown, isAnswered: boolean): void {
    let kept = data;
    if (kind === "state") {
      const { before, after, ...change } = data as StateChange;
      const was = differenceOf(before, after);
      kept = { ...change, ...(was ? { was } : { before }), ...(isAnswered ? {} : { after }) } satisfies KeptChange;
    }
    this.#db.run(INSERT, seq, kind, this.#db.toStored(at), traceId, JSON.stringify(kept));
  }

  /** A change as it was, of what is kept of it. @param text its JSON */
  changeOf(text: string, traceId: string | null): StateChange {
    const { was, before, after = this.#answerTo(traceId), ...change } = JSON.parse(text) as KeptChange;
    return { ...change, before: was ? { ...(after as object), ...was } : before, after };
  }

  /** What a call was answered; null: it is no longer kept. */
  #answerTo(traceId: string | null): unknown {
    const body = traceId === null ? undefined : this.#requests.get(traceId)?.response_body;
    try {
      return body === undefined ? null : (JSON.parse(body) as unknown);
    } catch {
      return null;
    }
  }

  #logged(seq: number, { data, at, ...entry }: Stored): LiveEntry {
    const { kind, trace_id } = entry;
    const read: unknown = kind === "state" ? this.changeOf(data, trace_id) : JSON.parse(data);
    return { id: seq, ...entry, at: new Date(this.#db.fromStored(at)).toISOString(), data: read } as LiveEntry;
  }

  readonly #entry = ({ seq, place }: { seq: number; place: (typeof numbered)[number] }): LiveEntry[] => {
    const at = (time: number): string => new Date(time).toISOString();
    switch (place) {
      case "log": {
        const stored = this.#db.get<Stored>("SELECT kind, at, trace_id, data FROM log WHERE seq = ?", seq);
        return stored ? [this.#logged(seq, stored)] : [];
      }
      case "requests": {
        const data = this.#requests.at(seq);
        const answered = data && at(Date.parse(data.at) + data.duration_ms);
        return data && answered ? [{ id: seq, kind: "request", at: answered, trace_id: data.id, data }] : [];
      }
      case "events": {
        const data = this.#events.get(seq);
        const recorded = at(this.#events.recordedAt(seq));
        return data ? [{ id: seq, kind: "event", at: recorded, trace_id: data.trace_id, data }] : [];
      }
      default: {
        const { at: ended, delivery = undefined } =
          place === "attempts" ? (this.#outbox.attempted(seq) ?? {}) : { delivery: this.#outbox.queued(seq) };
        if (!delivery) return [];
        const time = ended === undefined ? delivery.created_at : at(ended);
        return [{ id: seq, kind: "delivery", at: time, trace_id: delivery.trace_id, data: deliveryRow(delivery) }];
      }
    }
  };

  /** The next entries after an id, in order. */
  after(after: number, limit: number): LiveEntry[] {
    return this.#db
      .all<{ seq: number; place: (typeof numbered)[number] }>(AFTER, { after, limit })
      .flatMap(this.#entry);
  }

  /** The newest `limit` entries, oldest first. */
  newest(limit: number): LiveEntry[] {
    return this.#db
      .all<{ seq: number; place: (typeof numbered)[number] }>(NEWEST, { limit })
      .reverse()
      .flatMap(this.#entry);
  }

  /** What the log alone has of a trace, in order. */
  ofTrace(traceId: string): LiveEntry[] {
    return this.#db
      .all<Stored & { seq: number }>(
        "SELECT seq, kind, at, trace_id, data FROM log WHERE trace_id = ? ORDER BY seq",
        traceId,
      )
      .map(({ seq, ...stored }) => this.#logged(seq, stored));
  }

  /** How many entries there are after an id, as far as `limit`. */
  countAfter(after: number, limit: number): number {
    return this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM (${AFTER})`, { after, limit })?.n ?? 0;
  }

  /** The id a reader must have seen, or a later one, to go on without a gap: before it is another world, or deleted. */
  gaplessFrom(): number {
    const [trimmed, restored] = [this.#settings.get("log_trimmed"), this.#settings.get("log_restored")];
    return Math.max(trimmed, restored, this.#db.firstSeq);
  }

  /** Notes that entries up to an id were deleted. Call inside the write that deletes them. */
  noteTrimmed(through: number): void {
    if (through > this.#settings.get("log_trimmed")) this.#settings.set("log_trimmed", through);
  }
}
