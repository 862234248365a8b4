// The records that nodes keep together: the audit log, evidence and failed calls.
import { MAX_STRAY_CALLS } from "../contract/control/activity-operations.ts";
import { type AuditDetail, parseStoredDetail } from "../rules/access/audit-detail.ts";
import {
  ACTIVITY_DROPPED,
  ACTIVITY_MS,
  type ActivityTable,
  MAX_ACTIVITY_ROWS,
  readActivity,
  type StoredActivity,
} from "../storage/activity-store.ts";
import type { Audit, AuditQuery, AuditRecord } from "../storage/audit-store.ts";
import { type EvidenceRegister, type IssuedEvidence, MAX_EVIDENCE } from "../storage/evidence-store.ts";
import type { SharedDatabase } from "./database.ts";
import { AUDIT_KIND, REPLACE_SETTING } from "./tables.ts";

const FOUND = `($1::text IS NULL OR record ->> 'world' = $1) AND ($2::text IS NULL OR ${AUDIT_KIND} = $2)`;
const getQueryValues = ({ world, kind }: AuditQuery) => [world, kind];

/** Nodes of earlier versions write a text. */
type StoredDetail = { readonly detail: string | AuditDetail };

/** The audit log of control calls of all nodes. */
export const sharedAudit = (database: SharedDatabase): Audit => ({
  insert: (record) => database.run("INSERT INTO sandbox_audit (record) VALUES ($1)", [JSON.stringify(record)]),
  list: async (query, before, limit) => {
    const select = `SELECT id, record FROM sandbox_audit WHERE ${FOUND} AND id < $3 ORDER BY id DESC LIMIT $4`;
    const rows = await database.run(select, [...getQueryValues(query), before, limit]);
    return rows.map(({ id, record }) => {
      const stored = record as Omit<AuditRecord, "seq" | "kind" | "detail"> & StoredDetail;
      const detail = typeof stored.detail === "string" ? parseStoredDetail(stored.detail) : stored.detail;
      return { kind: "change" as const, ...stored, detail, seq: Number(id) };
    });
  },
  count: async (query) => {
    const [row] = await database.run(`SELECT count(*) FROM sandbox_audit WHERE ${FOUND}`, getQueryValues(query));
    return Number(row?.count);
  },
});

/** The register of evidence that all nodes issued. */
export const sharedEvidence = (database: SharedDatabase): EvidenceRegister => ({
  insert: async (issued) => {
    const { id, world } = issued;
    const insert = "INSERT INTO sandbox_evidence (id, world, record) VALUES ($1, $2, $3)";
    await database.run(insert, [id, world, JSON.stringify(issued)]);
    const older =
      "SELECT seq FROM sandbox_evidence WHERE world = $1 AND revoked_at IS NULL ORDER BY seq DESC OFFSET $2";
    await database.run(`DELETE FROM sandbox_evidence WHERE seq IN (${older})`, [world, MAX_EVIDENCE]);
  },
  list: async ({ world, id, integration_id }, before, limit) => {
    const rows = await database.run(
      `SELECT seq, record, revoked_at, revoked_for FROM sandbox_evidence
       WHERE seq < $1 AND ($2::text IS NULL OR world = $2) AND ($3::text IS NULL OR id = $3)
         AND ($4::text IS NULL OR record ->> 'integration_id' = $4) ORDER BY seq DESC LIMIT $5`,
      [before, world, id, integration_id, limit],
    );
    return rows.map(({ seq, record, revoked_at, revoked_for }) => ({
      ...(record as IssuedEvidence),
      seq: Number(seq),
      revoked_at: revoked_at === null ? null : Number(revoked_at),
      revoked_for: revoked_for === null ? null : String(revoked_for),
    }));
  },
  revoke: async (id, world, at, why) => {
    const revoke = "UPDATE sandbox_evidence SET revoked_at = $3, revoked_for = $4";
    await database.run(`${revoke} WHERE id = $1 AND world = $2 AND revoked_at IS NULL`, [id, world, at, why]);
  },
});

/** The failed calls of the worlds of all nodes. */
export const sharedActivity = (database: SharedDatabase): ActivityTable => ({
  add: (counted) =>
    database.run(
      `INSERT INTO sandbox_activity AS known (minute, world, failure, count, last_at, last_id, last_operation)
       SELECT * FROM json_to_recordset($1) AS counted(minute bigint, world text, failure text, count bigint,
         last_at bigint, last_id text, last_operation text)
       ON CONFLICT (world, minute, failure) DO UPDATE SET
         count = known.count + excluded.count, last_at = excluded.last_at, last_id = excluded.last_id,
         last_operation = excluded.last_operation`,
      [JSON.stringify(counted.map((one) => ({ ...one, failure: JSON.stringify(one.failure) })))],
    ),
  rows: async ({ world, from }, after, limit) => {
    const rows = await database.run(
      `SELECT seq::float8 AS seq, minute::float8 AS minute, world, failure, count::float8 AS count,
         last_at::float8 AS last_at, last_id, last_operation
       FROM sandbox_activity WHERE seq > $1 AND minute >= $2 AND ($3::text IS NULL OR world = $3) ORDER BY seq LIMIT $4`,
      [after, from, world, limit],
    );
    return readActivity(rows as unknown as StoredActivity[]);
  },
  dropped: async () => {
    const [row] = await database.run("SELECT value FROM sandbox_settings WHERE key = $1", [ACTIVITY_DROPPED]);
    return Number(row?.value ?? 0);
  },
  deleteWorld: (world) => database.run("DELETE FROM sandbox_activity WHERE world = $1", [world]),
  trim: async (now) => {
    await database.run("DELETE FROM sandbox_activity WHERE minute < $1", [now - ACTIVITY_MS]);
    const select = "SELECT minute FROM sandbox_activity ORDER BY minute DESC LIMIT 1 OFFSET $1";
    const [last] = await database.run(select, [MAX_ACTIVITY_ROWS]);
    if (!last) return;
    await database.run("DELETE FROM sandbox_activity WHERE minute <= $1", [last.minute]);
    await database.run(`INSERT INTO sandbox_settings VALUES ($1, $2) ${REPLACE_SETTING}`, [
      ACTIVITY_DROPPED,
      last.minute,
    ]);
  },
  keep: async (strays) => {
    await database.run("INSERT INTO sandbox_strays (call) SELECT * FROM json_array_elements($1)", [
      JSON.stringify(strays),
    ]);
    const tooMany = "SELECT seq FROM sandbox_strays ORDER BY seq DESC OFFSET $1";
    await database.run(`DELETE FROM sandbox_strays WHERE seq IN (${tooMany})`, [MAX_STRAY_CALLS]);
  },
  strays: async () => {
    const rows = await database.run("SELECT call::text FROM sandbox_strays ORDER BY seq DESC");
    return rows.map(({ call }) => String(call));
  },
});
