import type { EventRow } from "../contract/control/rows.ts";
import type { Database } from "./database.ts";

type Stored = Omit<EventRow, "event_timestamp" | "payload"> & {
  readonly seq: number;
  readonly event_timestamp: number;
  readonly payload: string;
};

/** What a look through some rows found: the place of an event, and where to go on; null when there is none. */
export interface Found {
  readonly found: number | null;
  readonly last: number | null;
}

const SELECT =
  "SELECT seq, id, event_type, event_timestamp, organization_id, payload, trace_id, label, deliveries FROM events";

/** The events of a world as the control plane lists them; written by the outbox. */
export class EventsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  readonly #row = ({ seq, ...row }: Stored): { readonly seq: number; readonly row: EventRow } => ({
    seq,
    row: {
      ...row,
      event_timestamp: new Date(this.#db.fromStored(row.event_timestamp)).toISOString(),
      payload: JSON.parse(row.payload) as Record<string, string>,
    },
  });

  /** @param seq its place in the world's order */
  get(seq: number): EventRow | undefined {
    const found = this.#db.get<Stored>(`${SELECT} WHERE seq = ?`, seq);
    return found && this.#row(found).row;
  }

  /** The newest before a place in the world's order, newest first, each with its place. */
  newest(before: number, limit: number): { readonly seq: number; readonly row: EventRow }[] {
    return this.#db.all<Stored>(`${SELECT} WHERE seq < ? ORDER BY seq DESC LIMIT ?`, before, limit).map(this.#row);
  }

  /** Looks through the events before a place, so many and the newest first, for one by its id: that is in no index. */
  find(id: string, before: number, limit: number): Found {
    return this.#find("SELECT seq, id AS key, seq AS event FROM events", id, before, limit);
  }

  /** Looks through deliveries in the same way for the event of a notification, by its `message_id`. */
  findByMessage(messageId: string, before: number, limit: number): Found {
    return this.#find("SELECT seq, message_id AS key, event_seq AS event FROM deliveries", messageId, before, limit);
  }

  #find(rows: string, key: string, before: number, limit: number): Found {
    const found = this.#db.get<Found>(
      `SELECT max(CASE WHEN key = ? THEN event END) AS found, min(seq) AS last FROM (${rows} WHERE seq < ? ORDER BY seq DESC LIMIT ?)`,
      key,
      before,
      limit,
    );
    return found ?? { found: null, last: null };
  }
}
