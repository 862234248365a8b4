import type { PartStatus } from "../contract/resources/job.ts";
import type { ProcurementStatus } from "../contract/values.ts";
import type { PartRecord } from "../rules/records.ts";
import type { Database } from "./database.ts";
import { updateJobState } from "./jobs-store.ts";

const SELECT = "SELECT id, description, external_id, ghca_id, note, quantity, status FROM job_parts";

/** Parts of jobs, and the procurements that cover them. */
export class PartsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** In insertion order (D39). */
  listByJob(jobId: string): PartRecord[] {
    return this.#db.all(`${SELECT} WHERE job_id = ? ORDER BY seq`, jobId);
  }

  findJobId(partId: string): string | undefined {
    return this.#db.get<{ job_id: string }>("SELECT job_id FROM job_parts WHERE id = ?", partId)?.job_id;
  }

  insert(jobId: string, part: PartRecord): void {
    this.#db.insert("job_parts", { ...part, job_id: jobId });
    updateJobState(this.#db, jobId);
  }

  update(part: PartRecord): void {
    this.#db.run(
      "UPDATE job_parts SET description = ?, external_id = ?, ghca_id = ?, note = ?, quantity = ?, status = ? WHERE id = ?",
      part.description,
      part.external_id,
      part.ghca_id,
      part.note,
      part.quantity,
      part.status,
      part.id,
    );
  }

  setStatus(partId: string, status: PartStatus): void {
    this.#db.run("UPDATE job_parts SET status = ? WHERE id = ?", status, partId);
  }

  deleteByJob(jobId: string): void {
    this.#db.run("DELETE FROM job_parts WHERE job_id = ?", jobId);
    updateJobState(this.#db, jobId);
  }

  cover(partId: string, procurementId: string): void {
    this.#db.run(
      "INSERT OR IGNORE INTO procurement_parts (job_part_id, procurement_id) VALUES (?, ?)",
      partId,
      procurementId,
    );
  }

  /** Returns whether a procurement with one of these statuses covers a part of a job (D42). Reads no others. */
  isCovered(jobId: string, partId: string, statuses: readonly ProcurementStatus[]): boolean {
    const found = this.#db.get(
      `SELECT 1 FROM procurements p WHERE p.job_id = ? AND p.status IN (${statuses.map(() => "?").join(", ")})
       AND EXISTS (SELECT 1 FROM procurement_parts c WHERE c.job_part_id = ? AND c.procurement_id = p.id) LIMIT 1`,
      jobId,
      ...statuses,
      partId,
    );
    return found !== undefined;
  }
}
