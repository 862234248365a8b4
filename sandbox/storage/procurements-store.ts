import type { ProcurementRecord } from "../rules/records.ts";
import type { Database } from "./database.ts";
import { updateJobState } from "./jobs-store.ts";
import type { List } from "./lists.ts";
import { indexInserted, type Searchable } from "./search.ts";

type IndexedColumn =
  | "id"
  | "job_id"
  | "status"
  | "reference"
  | "buyer_organization_id"
  | "buyer_business_id"
  | "supplier_organization_id"
  | "supplier_business_id"
  | "created_at"
  | "updated_at"
  | "deliver_before";

interface StoredProcurement extends Pick<ProcurementRecord, IndexedColumn> {
  readonly document: string;
}

const COLUMNS =
  "id, job_id, status, reference, buyer_organization_id, buyer_business_id, supplier_organization_id, supplier_business_id, " +
  "created_at, updated_at, deliver_before, document";

export const searchableProcurements: Searchable = {
  name: "procurements",
  joins: "LEFT JOIN jobs j ON j.id = r.job_id LEFT JOIN businesses s ON s.id = r.supplier_business_id",
  text: "concat_ws(char(10), r.reference, j.plate_number, j.job_number, s.name)",
};

export const procurementList = {
  name: "procurements",
  orders: { created: { key: "r.created_at", index: "procurements_by_creation" } },
  searchable: searchableProcurements,
} as const satisfies List;

/** Procurements: searchable fields as columns, the rest as one JSON document. */
export class ProcurementsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  readonly #record = (row: StoredProcurement): ProcurementRecord => {
    const { document, created_at, updated_at, deliver_before, ...rest } = row;
    return {
      ...(JSON.parse(document) as Omit<ProcurementRecord, IndexedColumn>),
      ...rest,
      created_at: this.#db.fromStored(created_at),
      updated_at: this.#db.fromStored(updated_at),
      deliver_before: this.#db.fromStored(deliver_before),
    };
  };

  get(id: string): ProcurementRecord | undefined {
    const row = this.#db.get<StoredProcurement>(`SELECT ${COLUMNS} FROM procurements WHERE id = ?`, id.toLowerCase());
    return row && this.#record(row);
  }

  at(seq: number): ProcurementRecord | undefined {
    const row = this.#db.get<StoredProcurement>(`SELECT ${COLUMNS} FROM procurements WHERE seq = ?`, seq);
    return row && this.#record(row);
  }

  /** Newest first (D54). */
  listByJob(jobId: string): ProcurementRecord[] {
    return this.#db
      .all<StoredProcurement>(
        `SELECT ${COLUMNS} FROM procurements WHERE job_id = ? ORDER BY created_at DESC, seq DESC`,
        jobId,
      )
      .map(this.#record);
  }

  deleteByJob(jobId: string): void {
    this.#db.run(
      "DELETE FROM procurement_parts WHERE procurement_id IN (SELECT id FROM procurements WHERE job_id = ?)",
      jobId,
    );
    this.#db.run("DELETE FROM procurements WHERE job_id = ?", jobId);
    updateJobState(this.#db, jobId);
  }

  countByJob(jobId: string): number {
    return this.#db.get<{ n: number }>("SELECT count(*) AS n FROM procurements WHERE job_id = ?", jobId)?.n ?? 0;
  }

  insert(record: ProcurementRecord): void {
    const { id, job_id, status, reference, created_at, updated_at, deliver_before, ...rest } = record;
    const { buyer_organization_id, buyer_business_id, supplier_organization_id, supplier_business_id, ...document } =
      rest;
    const rowid = this.#db.insert("procurements", {
      ...{ id, job_id, status, reference, document: JSON.stringify(document) },
      ...{ buyer_organization_id, buyer_business_id, supplier_organization_id, supplier_business_id },
      created_at: this.#db.toStored(created_at),
      updated_at: this.#db.toStored(updated_at),
      deliver_before: this.#db.toStored(deliver_before),
    });
    indexInserted(this.#db, searchableProcurements, rowid);
    updateJobState(this.#db, job_id);
  }

  /** Writes the fields that a transition can change: status, times and offered items. */
  update(record: ProcurementRecord): void {
    this.#db.run(
      "UPDATE procurements SET status = ?, updated_at = ?, deliver_before = ?, document = json_set(document, '$.offered_items', json(?)) WHERE id = ?",
      record.status,
      this.#db.toStored(record.updated_at),
      this.#db.toStored(record.deliver_before),
      JSON.stringify(record.offered_items),
      record.id,
    );
    updateJobState(this.#db, record.job_id);
  }
}
