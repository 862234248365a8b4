import type { JobIdentity } from "../contract/resources/job.ts";
import type { JobRecord } from "../rules/records.ts";
import type { Database } from "./database.ts";
import { SearchIndex } from "./search-index.ts";
import { jobsSearched } from "./search-lists.ts";

interface Stored extends Omit<JobRecord, "vehicle" | "images"> {
  readonly has_vehicle: number;
  readonly chassis_number: string | null;
  readonly plate_number: string | null;
  readonly plate_state: string | null;
  readonly images: string;
}

const COLUMNS =
  "id, organization_id, repairer_site_id, external_id, job_number, claim_number, has_vehicle, chassis_number, plate_number, " +
  "plate_state, vehicle_variant, work_provider_id, images, created_at, updated_at";
const SELECT = `SELECT ${COLUMNS} FROM jobs`;
// Put together once: a statement is found by its text, and a text that is made for each call has to be read for it.
const OF_ID = `${SELECT} WHERE id = ?`;
const OF_ID_AND_ORGANIZATION = `${SELECT} WHERE id = ? AND organization_id = ?`;
const OF_EXTERNAL_ID = `${SELECT} WHERE organization_id = ? AND external_id = ?`;
const OF_NUMBER = `${SELECT} WHERE repairer_site_id = ? AND job_number = ?`;
const INSERT = `INSERT INTO jobs (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_IF_FREE = `${INSERT} ON CONFLICT DO NOTHING`;

/** Repair jobs. */
export class JobsStore {
  /** Finds them in worlds of any size. */
  readonly searched: SearchIndex;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.searched = new SearchIndex(db, jobsSearched);
  }

  #record(row: Stored | undefined): JobRecord | undefined {
    if (!row) return undefined;
    const { chassis_number, plate_number, plate_state } = row;
    // Key by key: to take the rest of a row with `...` costs more than to read the row.
    return {
      id: row.id,
      organization_id: row.organization_id,
      repairer_site_id: row.repairer_site_id,
      external_id: row.external_id,
      job_number: row.job_number,
      claim_number: row.claim_number,
      vehicle: row.has_vehicle ? { chassis_number, plate_number, plate_state } : null,
      vehicle_variant: row.vehicle_variant,
      work_provider_id: row.work_provider_id,
      images: JSON.parse(row.images) as string[],
      created_at: this.#db.fromStored(row.created_at),
      updated_at: this.#db.fromStored(row.updated_at),
    };
  }

  /** The organization's job of this identity; another organization's is undefined (D25). */
  find(identity: JobIdentity, organizationId: string): JobRecord | undefined {
    return "id" in identity && identity.id !== undefined
      ? this.#record(this.#db.get(OF_ID_AND_ORGANIZATION, identity.id.toLowerCase(), organizationId))
      : this.#record(this.#db.get(OF_EXTERNAL_ID, organizationId, identity.external));
  }

  /** Whatever organization it belongs to. */
  get(id: string): JobRecord | undefined {
    return this.#record(this.#db.get(OF_ID, id));
  }

  byNumber(siteId: string, jobNumber: string): JobRecord | undefined {
    return this.#record(this.#db.get(OF_NUMBER, siteId, jobNumber));
  }

  #values(job: JobRecord): unknown[] {
    const { vehicle } = job;
    return [
      job.organization_id,
      job.repairer_site_id,
      job.external_id,
      job.job_number,
      job.claim_number,
      Number(vehicle !== null),
      vehicle?.chassis_number ?? null,
      vehicle?.plate_number ?? null,
      vehicle?.plate_state ?? null,
      job.vehicle_variant,
      job.work_provider_id,
      JSON.stringify(job.images),
      this.#db.toStored(job.created_at),
      this.#db.toStored(job.updated_at),
    ];
  }

  insert(job: JobRecord): void {
    this.#db.run(INSERT, job.id, ...this.#values(job));
  }

  /** @returns false, and nothing is written, when its id, its external id or its number at its site is taken */
  insertIfFree(job: JobRecord): boolean {
    return this.#db.runIfFree(INSERT_IF_FREE, job.id, ...this.#values(job));
  }

  update(job: JobRecord): void {
    this.#db.run(
      "UPDATE jobs SET organization_id = ?, repairer_site_id = ?, external_id = ?, job_number = ?, claim_number = ?, has_vehicle = ?, " +
        "chassis_number = ?, plate_number = ?, plate_state = ?, vehicle_variant = ?, work_provider_id = ?, images = ?, created_at = ?, updated_at = ? WHERE id = ?",
      ...this.#values(job),
      job.id,
    );
  }

  delete(id: string): void {
    this.#db.run("DELETE FROM jobs WHERE id = ?", id);
  }

  touch(id: string, at: number): void {
    this.#db.run("UPDATE jobs SET updated_at = ? WHERE id = ?", this.#db.toStored(at), id);
  }
}
