import type { JobIdentity, Vehicle } from "../contract/resources/job.ts";
import type { JobRecord } from "../rules/records.ts";
import type { Database } from "./database.ts";
import type { List } from "./lists.ts";
import { indexInserted, type Searchable } from "./search.ts";

interface StoredJob extends Omit<JobRecord, "vehicle" | "images">, Vehicle {
  readonly has_vehicle: number;
  readonly images: string;
}

const columns: Readonly<Record<keyof StoredJob, true>> = {
  id: true,
  organization_id: true,
  repairer_site_id: true,
  external_id: true,
  job_number: true,
  claim_number: true,
  has_vehicle: true,
  chassis_number: true,
  plate_number: true,
  plate_state: true,
  vehicle_variant: true,
  work_provider_id: true,
  images: true,
  created_at: true,
  updated_at: true,
};

const NAMES = Object.keys(columns) as (keyof StoredJob)[];
// Built once: statements are cached by their text, and a newly built string must be hashed on every call.
const SELECT = `SELECT ${NAMES.join(", ")} FROM jobs`;
const SELECT_BY_SEQ = `${SELECT} WHERE seq = ?`;
const SELECT_BY_ID = `${SELECT} WHERE id = ?`;
const SELECT_OWN_BY_ID = `${SELECT} WHERE id = ? AND organization_id = ?`;
const SELECT_BY_EXTERNAL_ID = `${SELECT} WHERE organization_id = ? AND external_id = ?`;
const SELECT_BY_NUMBER = `${SELECT} WHERE repairer_site_id = ? AND job_number = ?`;
const NAMED =
  "SELECT seq FROM (SELECT seq FROM jobs WHERE coalesce(job_number, '') IN (?, ?, ?) LIMIT 100) UNION ALL " +
  "SELECT j.seq FROM organizations o CROSS JOIN jobs j ON j.organization_id = o.id AND j.external_id IN (?, ?, ?)";
const INSERT = `INSERT INTO jobs (${NAMES.join(", ")}) VALUES (${NAMES.map(() => "?").join(", ")})`;
const INSERT_IF_FREE = `${INSERT} ON CONFLICT DO NOTHING`;
const UPDATE = `UPDATE jobs SET ${NAMES.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`;

export const searchableJobs: Searchable = {
  name: "jobs",
  joins: "",
  text: "concat_ws(char(10), r.plate_number, r.job_number, r.claim_number, r.external_id, r.chassis_number)",
};

export const jobList = {
  name: "jobs",
  orders: {
    updated: { key: "r.updated_at", index: "jobs_by_change" },
    created: { key: "r.seq", index: null },
    job_number: { key: "coalesce(r.job_number, '')", index: "jobs_in_order_of_numbers" },
  },
  searchable: searchableJobs,
} as const satisfies List;

export class JobsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #record(row: StoredJob | undefined): JobRecord | undefined {
    if (!row) return undefined;
    const { has_vehicle, chassis_number, plate_number, plate_state, images, ...plain } = row;
    return {
      ...plain,
      vehicle: has_vehicle ? { chassis_number, plate_number, plate_state } : null,
      images: JSON.parse(images) as string[],
      created_at: this.#db.fromStored(row.created_at),
      updated_at: this.#db.fromStored(row.updated_at),
    };
  }

  /** Values of all columns, in their order: binding by name costs three native calls per value. */
  #stored({ vehicle, images, ...plain }: JobRecord): unknown[] {
    const row: StoredJob = {
      ...plain,
      has_vehicle: Number(vehicle !== null),
      chassis_number: vehicle?.chassis_number ?? null,
      plate_number: vehicle?.plate_number ?? null,
      plate_state: vehicle?.plate_state ?? null,
      images: JSON.stringify(images),
      created_at: this.#db.toStored(plain.created_at),
      updated_at: this.#db.toStored(plain.updated_at),
    };
    return NAMES.map((name) => row[name]);
  }

  /** @returns the organization's own job (D25) */
  find(identity: JobIdentity, organizationId: string): JobRecord | undefined {
    return "id" in identity && identity.id !== undefined
      ? this.#record(this.#db.get(SELECT_OWN_BY_ID, identity.id.toLowerCase(), organizationId))
      : this.#record(this.#db.get(SELECT_BY_EXTERNAL_ID, organizationId, identity.external));
  }

  /** Job of any organization. */
  get(id: string): JobRecord | undefined {
    return this.#record(this.#db.get(SELECT_BY_ID, id));
  }

  at(seq: number): JobRecord | undefined {
    return this.#record(this.#db.get(SELECT_BY_SEQ, seq));
  }

  /** `seq` of all jobs with this number or external ID, in any organization. */
  findSeqsByName(text: string): number[] {
    const spellings = [text, text.toUpperCase(), text.toLowerCase()];
    return this.#db.all<{ seq: number }>(NAMED, ...spellings, ...spellings).map(({ seq }) => seq);
  }

  byNumber(siteId: string, jobNumber: string): JobRecord | undefined {
    return this.#record(this.#db.get(SELECT_BY_NUMBER, siteId, jobNumber));
  }

  insert(job: JobRecord): void {
    indexInserted(this.#db, searchableJobs, this.#db.run(INSERT, ...this.#stored(job)).rowid);
  }

  /** @returns false without a write if the ID, external ID or job number is taken */
  insertIfFree(job: JobRecord): boolean {
    const { rowid, changes } = this.#db.run(INSERT_IF_FREE, ...this.#stored(job));
    if (changes > 0) indexInserted(this.#db, searchableJobs, rowid);
    return changes > 0;
  }

  update(job: JobRecord): void {
    this.#db.run(UPDATE, ...this.#stored(job), job.id);
  }

  delete(id: string): void {
    this.#db.run("DELETE FROM jobs WHERE id = ?", id);
  }

  /** Number of calls to which the job's test value responded. */
  testAnswers(id: string): number {
    return this.#db.get<{ n: number }>("SELECT test_answers AS n FROM jobs WHERE id = ?", id)?.n ?? 0;
  }

  setTestAnswers(id: string, count: number): void {
    this.#db.run("UPDATE jobs SET test_answers = ? WHERE id = ?", count, id);
  }

  touch(id: string, at: number): void {
    this.#db.run("UPDATE jobs SET updated_at = ? WHERE id = ?", this.#db.toStored(at), id);
  }
}

/**
 * Recomputes a job's `state` from its parts and its procurements that aren't cancelled. The stores of both call it
 * after each change. The `+` prevents use of the status index, which would read every procurement with that status.
 */
export const updateJobState = (db: Database, jobId: string): void => {
  db.run(
    `UPDATE jobs SET state = CASE
       WHEN EXISTS (SELECT 1 FROM procurements p WHERE p.job_id = jobs.id AND p.status = 'order_requested') THEN 'order_requested'
       WHEN EXISTS (SELECT 1 FROM procurements p WHERE p.job_id = jobs.id AND p.status = 'order_confirmed') THEN 'order_confirmed'
       WHEN EXISTS (SELECT 1 FROM job_parts p WHERE p.job_id = jobs.id) THEN 'estimated'
       ELSE 'no_parts' END
     WHERE id = ?`,
    jobId,
  );
};
