import type { Audit, AuditRecord } from "../storage/audit-store.ts";
import type { SharedDatabase } from "./database.ts";

const OF_WORLD = "($1::text IS NULL OR record ->> 'world' = $1)";

/** The record of changes through the control plane, of all nodes together. */
export const sharedAudit = (database: SharedDatabase): Audit => ({
  insert: (record) => database.run("INSERT INTO sandbox_audit (record) VALUES ($1)", [JSON.stringify(record)]),
  list: async (world, before, limit) => {
    const select = `SELECT id, record FROM sandbox_audit WHERE ${OF_WORLD} AND id < $2 ORDER BY id DESC LIMIT $3`;
    const rows = await database.run(select, [world, before, limit]);
    return rows.map(({ id, record }) => ({ ...(record as Omit<AuditRecord, "seq">), seq: Number(id) }));
  },
  count: async (world) => {
    const [row] = await database.run(`SELECT count(*) FROM sandbox_audit WHERE ${OF_WORLD}`, [world]);
    return Number(row?.count);
  },
});
