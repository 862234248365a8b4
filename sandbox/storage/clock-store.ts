import type { momentKinds } from "../contract/control/world-operations.ts";
import type { Database } from "./database.ts";
import { countUpTo, type Total } from "./lists.ts";

export type MomentKind = (typeof momentKinds)[number];

/** What comes at a moment of the world's clock, in milliseconds since 1970. */
export interface MomentRecord {
  readonly at: number;
  readonly what: MomentKind;
  readonly id: string | null;
  /** Of a code the code itself. */
  readonly label: string;
  readonly organization: string;
}

/** Where each kind is found: every condition has an index, with the moment as its first column. */
const kinds: Readonly<Record<MomentKind, { readonly from: string; readonly at: string; readonly columns: string }>> = {
  code_expires: {
    from: "access_codes r JOIN organizations o ON o.id = r.organization_id WHERE r.consumed_at IS NULL",
    at: "r.expires_at",
    columns: "NULL AS id, r.code AS label",
  },
  upload_expires: {
    from: "uploads r JOIN organizations o ON o.id = r.organization_id WHERE r.uploaded_at IS NULL",
    at: "r.expires_at",
    columns: "r.id, r.file_name AS label",
  },
  delivery_due: {
    // The index of the states has the same condition, and all of a state would be sorted.
    from: "procurements r INDEXED BY procurements_by_delivery JOIN organizations o ON o.id = r.buyer_organization_id WHERE r.status = 'order_confirmed'",
    at: "r.deliver_before",
    columns: "r.id, coalesce(r.reference, r.id) AS label",
  },
};
const entries = Object.entries(kinds) as [MomentKind, (typeof kinds)[MomentKind]][];

/** What follows the world's clock and is still to come, or came without having been used (D84). */
export class ClockStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #stored(from: number, until: number): [number, number] {
    return [this.#db.toStored(from), this.#db.toStored(until)];
  }

  /** The earliest, in their order; of `until` itself none. */
  between(from: number, until: number, limit: number): MomentRecord[] {
    return entries
      .flatMap(([what, { from: rows, at, columns }]) =>
        this.#db
          .all<Omit<MomentRecord, "what">>(
            `SELECT ${at} AS at, ${columns}, o.name AS organization FROM ${rows} AND ${at} >= ? AND ${at} < ? ORDER BY ${at} LIMIT ?`,
            ...this.#stored(from, until),
            limit,
          )
          .map((row) => ({ ...row, what, at: this.#db.fromStored(row.at) })),
      )
      .toSorted((one, other) => one.at - other.at)
      .slice(0, limit);
  }

  /** How many there are between two moments, each kind counted as far as a list is. */
  count(from: number, until: number): Total {
    const counts = entries.map(([, { from: rows, at }]) =>
      countUpTo(this.#db, `${rows} AND ${at} >= ? AND ${at} < ?`, ...this.#stored(from, until)),
    );
    return {
      total: counts.reduce((sum, { total }) => sum + total, 0),
      total_is_minimum: counts.some(({ total_is_minimum }) => total_is_minimum),
    };
  }

  /** The next of a kind after a moment, or null. */
  next(what: MomentKind, after: number): number | null {
    const { from: rows, at } = kinds[what];
    const found = this.#db.get<{ at: number }>(
      `SELECT ${at} AS at FROM ${rows} AND ${at} >= ? ORDER BY ${at} LIMIT 1`,
      this.#db.toStored(after),
    );
    return found === undefined ? null : this.#db.fromStored(found.at);
  }
}
