import { momentKinds } from "../contract/control/world-operations.ts";
import type { Database } from "./database.ts";

type MomentKind = (typeof momentKinds)[number];

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
const selects: Readonly<Record<MomentKind, string>> = {
  code_expires: `SELECT r.expires_at AS at, NULL AS id, r.code AS label, o.name AS organization
    FROM access_codes r JOIN organizations o ON o.id = r.organization_id WHERE r.consumed_at IS NULL AND r.expires_at`,
  upload_expires: `SELECT r.expires_at AS at, r.id, r.file_name AS label, o.name AS organization
    FROM uploads r JOIN organizations o ON o.id = r.organization_id WHERE r.uploaded_at IS NULL AND r.expires_at`,
  // The index of the states has the same condition, and all of a state would be sorted.
  delivery_due: `SELECT r.deliver_before AS at, r.id, coalesce(r.reference, r.id) AS label, o.name AS organization
    FROM procurements r INDEXED BY procurements_by_delivery JOIN organizations o ON o.id = r.buyer_organization_id
    WHERE r.status = 'order_confirmed' AND r.deliver_before`,
};

/** What follows the world's clock and is still to come (D84). */
export class ClockStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The earliest, in their order. */
  upcoming(from: number, limit: number): MomentRecord[] {
    return momentKinds
      .flatMap((what) =>
        this.#db
          .all<Omit<MomentRecord, "what">>(`${selects[what]} >= ? ORDER BY at LIMIT ?`, this.#db.toStored(from), limit)
          .map((row) => ({ ...row, what, at: this.#db.fromStored(row.at) })),
      )
      .toSorted((one, other) => one.at - other.at)
      .slice(0, limit);
  }
}
