import { type AuditDetail, keptDetail } from "../rules/audit-detail.ts";
import type { Audit, AuditQuery, AuditRecord } from "../storage/audit-store.ts";
import { AUDIT_KIND, type SharedDatabase } from "./database.ts";

const FOUND = `($1::text IS NULL OR record ->> 'world' = $1) AND ($2::text IS NULL OR ${AUDIT_KIND} = $2)`;
const valuesOf = ({ world, kind }: AuditQuery) => [world, kind];

/** A node of an earlier version writes a text. */
type Kept = { readonly detail: string | AuditDetail };

/** The record of calls of the control plane, of all nodes together. */
export const sharedAudit = (database: SharedDatabase): Audit => ({
  insert: (record) => database.run("INSERT INTO sandbox_audit (record) VALUES ($1)", [JSON.stringify(record)]),
  list: async (of, before, limit) => {
    const select = `SELECT id, record FROM sandbox_audit WHERE ${FOUND} AND id < $3 ORDER BY id DESC LIMIT $4`;
    const rows = await database.run(select, [...valuesOf(of), before, limit]);
    return rows.map(({ id, record }) => {
      const kept = record as Omit<AuditRecord, "seq" | "kind" | "detail"> & Kept;
      const detail = typeof kept.detail === "string" ? keptDetail(kept.detail) : kept.detail;
      return { kind: "change" as const, ...kept, detail, seq: Number(id) };
    });
  },
  count: async (of) => {
    const [row] = await database.run(`SELECT count(*) FROM sandbox_audit WHERE ${FOUND}`, valuesOf(of));
    return Number(row?.count);
  },
});
