import type { StateChange } from "../contract/control/rows.ts";
import { isObject } from "../contract/explain.ts";
import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import { type Database, FEED_TABLES } from "./database.ts";
import { deliveryRow } from "./delivery-records.ts";
import type { EventsStore } from "./events-store.ts";
import type { OutboxStore } from "./outbox-store.ts";
import type { RequestsStore } from "./requests-store.ts";
import { SettingsStore } from "./settings-store.ts";

/** Kinds of entries that only the log stores. */
export type LogKind = Exclude<LiveKind, "request" | "event" | "delivery">;

/**
 * Appends an entry to the world's log. @param isAnswered called at the end: whether the response contains the new state
 */
export type Append = <K extends LogKind>(
  kind: K,
  traceId: string | null,
  data: LiveData[K],
  isAnswered?: () => boolean,
) => void;

/** A change as stored: `was` holds the differing old fields; `after` is absent if the response contains it. */
type StoredChange = Omit<StateChange, "before" | "after"> & {
  readonly before?: unknown;
  readonly was?: object;
  readonly after?: unknown;
};

interface StoredEntry {
  readonly kind: LogKind;
  readonly at: number;
  readonly trace_id: string | null;
  readonly data: string;
}

const INSERT = "INSERT INTO log (seq, kind, at, trace_id, data) VALUES (?, ?, ?, ?, ?)";
/** Feed entries with their table, as a merge of tables ordered by `seq`. */
const ENTRIES = FEED_TABLES.map((table) => `SELECT seq, '${table}' AS place FROM ${table}`);
const AFTER = `${ENTRIES.map((entries) => `${entries} WHERE seq > @after`).join(" UNION ALL ")} ORDER BY seq LIMIT @limit`;
const NEWEST = `${ENTRIES.join(" UNION ALL ")} ORDER BY seq DESC LIMIT @limit`;

/** Old values of the changed fields; undefined if the two can't be compared field by field. */
const pickPrevious = (before: unknown, after: unknown): object | undefined => {
  if (!isObject(before) || !isObject(after)) return undefined;
  const names = Object.keys(before);
  if (names.length !== Object.keys(after).length || !names.every((name) => Object.hasOwn(after, name)))
    return undefined;
  const differs = (name: string): boolean => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Object.fromEntries(names.filter(differs).map((name) => [name, before[name]]));
};

/** The world's ordered feed, and the table of entries that no other table stores. */
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

  /** ID of the newest entry, or the ID before the first one. */
  lastId(): number {
    return this.#db.lastSeq;
  }

  /**
   * Call inside a write. @param at real time @param isAnswered whether the call's response contains the changed object
   */
  append<K extends LogKind>(at: number, kind: K, traceId: string | null, data: LiveData[K], isAnswered = false): void {
    this.insert(this.#db.nextSeq(), at, kind, traceId, data, isAnswered);
  }

  /** Like {@link append}, with a number allocated earlier. */
  insert(seq: number, at: number, kind: LogKind, traceId: string | null, data: unknown, isAnswered: boolean): void {
    let storedData = data;
    if (kind === "state") {
      const { before, after, ...change } = data as StateChange;
      const was = pickPrevious(before, after);
      storedData = {
        ...change,
        ...(was ? { was } : { before }),
        ...(isAnswered ? {} : { after }),
      } satisfies StoredChange;
    }
    this.#db.run(INSERT, seq, kind, this.#db.toStored(at), traceId, JSON.stringify(storedData));
  }

  restoreChange(text: string, traceId: string | null): StateChange {
    const { was, before, after = this.#answerTo(traceId), ...change } = JSON.parse(text) as StoredChange;
    return { ...change, before: was ? { ...(after as object), ...was } : before, after };
  }

  /** Parsed response body of a call; null if the call was deleted. */
  #answerTo(traceId: string | null): unknown {
    const body = traceId === null ? undefined : this.#requests.get(traceId)?.response_body;
    try {
      return body === undefined ? null : (JSON.parse(body) as unknown);
    } catch {
      return null;
    }
  }

  #logged(seq: number, { data, at, ...entry }: StoredEntry): LiveEntry {
    const { kind, trace_id } = entry;
    const read: unknown = kind === "state" ? this.restoreChange(data, trace_id) : JSON.parse(data);
    return { id: seq, ...entry, at: new Date(this.#db.fromStored(at)).toISOString(), data: read } as LiveEntry;
  }

  readonly #entry = ({ seq, place }: { seq: number; place: (typeof FEED_TABLES)[number] }): LiveEntry[] => {
    const at = (time: number): string => new Date(time).toISOString();
    switch (place) {
      case "log": {
        const stored = this.#db.get<StoredEntry>("SELECT kind, at, trace_id, data FROM log WHERE seq = ?", seq);
        return stored ? [this.#logged(seq, stored)] : [];
      }
      case "requests": {
        const data = this.#requests.at(seq);
        const answeredAt = data && at(Date.parse(data.at) + data.duration_ms);
        return data && answeredAt ? [{ id: seq, kind: "request", at: answeredAt, trace_id: data.id, data }] : [];
      }
      case "events": {
        const data = this.#events.get(seq);
        const recorded = at(this.#events.recordedAt(seq));
        return data ? [{ id: seq, kind: "event", at: recorded, trace_id: data.trace_id, data }] : [];
      }
      default: {
        const { at: ended, delivery = undefined } =
          place === "attempts" ? (this.#outbox.findAttempted(seq) ?? {}) : { delivery: this.#outbox.findQueued(seq) };
        if (!delivery) return [];
        const time = ended === undefined ? delivery.created_at : at(ended);
        return [{ id: seq, kind: "delivery", at: time, trace_id: delivery.trace_id, data: deliveryRow(delivery) }];
      }
    }
  };

  after(after: number, limit: number): LiveEntry[] {
    return this.#db
      .all<{ seq: number; place: (typeof FEED_TABLES)[number] }>(AFTER, { after, limit })
      .flatMap(this.#entry);
  }

  /** The newest `limit` entries, oldest first. */
  newest(limit: number): LiveEntry[] {
    return this.#db
      .all<{ seq: number; place: (typeof FEED_TABLES)[number] }>(NEWEST, { limit })
      .reverse()
      .flatMap(this.#entry);
  }

  /** Entries of a trace that only the log stores, in order. */
  listByTrace(traceId: string): LiveEntry[] {
    return this.#db
      .all<StoredEntry & { seq: number }>(
        "SELECT seq, kind, at, trace_id, data FROM log WHERE trace_id = ? ORDER BY seq",
        traceId,
      )
      .map(({ seq, ...stored }) => this.#logged(seq, stored));
  }

  /** Counts entries after an ID, up to `limit`. */
  countAfter(after: number, limit: number): number {
    return this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM (${AFTER})`, { after, limit })?.n ?? 0;
  }

  /** Smallest cursor without a gap. Earlier entries were deleted or belong to another world. */
  gaplessFrom(): number {
    const [trimmed, restored] = [this.#settings.get("log_trimmed"), this.#settings.get("log_restored")];
    return Math.max(trimmed, restored, this.#db.firstSeq);
  }

  /** Records that entries up to an ID were deleted. Call inside the write that deletes them. */
  noteTrimmed(through: number): void {
    if (through > this.#settings.get("log_trimmed")) this.#settings.set("log_trimmed", through);
  }
}
