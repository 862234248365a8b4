import { type Moment, momentKinds } from "../contract/control/world-operations.ts";
import type { Database } from "./database.ts";

/** A deadline on the world's clock, in milliseconds since 1970. The label of an access code is the code itself. */
export interface MomentRecord extends Readonly<Omit<Moment, "at">> {
  readonly at: number;
}

/** Query of each kind. Each condition has an index whose first column is the deadline. */
const selects: Readonly<Record<Moment["what"], string>> = {
  code_expires: `SELECT r.expires_at AS at, NULL AS id, r.code AS label, o.name AS organization
    FROM access_codes r JOIN organizations o ON o.id = r.organization_id WHERE r.consumed_at IS NULL AND r.expires_at`,
  upload_expires: `SELECT r.expires_at AS at, r.id, r.file_name AS label, o.name AS organization
    FROM uploads r JOIN organizations o ON o.id = r.organization_id WHERE r.uploaded_at IS NULL AND r.expires_at`,
  // Forces the index: the status index has the same condition, but would need a sort of every row.
  delivery_due: `SELECT r.deliver_before AS at, r.id, coalesce(r.reference, r.id) AS label, o.name AS organization
    FROM procurements r INDEXED BY procurements_by_delivery JOIN organizations o ON o.id = r.buyer_organization_id
    WHERE r.status = 'order_confirmed' AND r.deliver_before`,
};

/** Upcoming deadlines on the world's clock (D84). */
export class ClockStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Earliest first. */
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
