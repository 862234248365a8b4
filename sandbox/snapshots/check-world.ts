import type { TSchema } from "typebox";
import { isUuid } from "../contract/schema.ts";
import { describeViolation, isTooDeep, MAX_DEPTH } from "../operations/validation.ts";
import type { Database } from "../storage/database.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import { openStores } from "../storage/stores.ts";
import { readSummary } from "../worlds/world.ts";
import { jsonColumns, rowShapes } from "./row-shapes.ts";
import { type OnProgress, WorkRefusal } from "./work.ts";

export const contradiction = (problem: string): WorkRefusal =>
  new WorkRefusal("unprocessable", `/document/tables are inconsistent: ${problem}`);

/**
 * Highest `seq` of a document. The log uses microseconds since 1970, which stay below until 2065; enough numbers remain
 * above.
 */
const HIGHEST_SEQ = 3_000_000_000_000_000;

type Row = Record<string, unknown> & { readonly seq: number };

const rowProblem = (row: Row, json: readonly string[], shape: TSchema): string | null => {
  if (row.id !== undefined && !isUuid(String(row.id))) return "/id must be a UUID";
  if (row.seq > HIGHEST_SEQ) return `/seq must be at most ${HIGHEST_SEQ}`;
  for (const column of json) {
    const text = row[column];
    if (typeof text !== "string") continue;
    if (isTooDeep(Buffer.from(text))) return `/${column} is nested more than ${MAX_DEPTH} levels deep`;
    try {
      row[column] = JSON.parse(text) as unknown;
    } catch {
      return `/${column} must be JSON`;
    }
  }
  return describeViolation(shape, row);
};

const checkRows = (db: Database, onProgress: OnProgress): void => {
  for (const [index, [table, shape]] of Object.entries(rowShapes).entries()) {
    const rows = db.handle.prepare<[], Row>(`SELECT * FROM ${table}`);
    const json = rows.columns().flatMap(({ name }) => (jsonColumns.includes(name) ? [name] : []));
    for (const row of rows.iterate()) {
      const problem = rowProblem(row, json, typeof shape === "function" ? shape(row) : shape);
      if (problem !== null) throw contradiction(`row ${row.seq} of ${table}: ${problem}`);
    }
    onProgress((index + 1) / Object.keys(rowShapes).length);
  }
};

/** Checks that rows refer to existing rows. */
const checkReferences = (db: Database): void => {
  const entry = db.get<{ seq: number }>(
    "SELECT seq FROM log l WHERE kind = 'state' AND json_valid(data) AND json_type(data, '$.after') IS NULL " +
      "AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.id = l.trace_id) LIMIT 1",
  );
  if (entry) throw contradiction(`row ${entry.seq} of log is of an exchange that is not there`);
  const [missing] = db.handle.pragma("foreign_key_check") as { table: string; rowid: number | null; parent: string }[];
  if (missing)
    throw contradiction(`row ${missing.rowid} of ${missing.table} names one of ${missing.parent} that is not there`);
};

/**
 * Validates an imported world: SQLite's own checks, its settings, and the shape of its rows.
 *
 * @returns its counts
 * @throws WorkRefusal, BadSettingError
 */
export const checkWorld = (db: Database, onProgress: OnProgress): WorldSummary => {
  if (db.epoch === 0) throw new WorkRefusal("unprocessable", "/document/tables must hold meta with the world’s epoch");
  const stores = openStores(db);
  stores.settings.check();
  checkReferences(db);
  const summary = readSummary(db, stores);
  if (stores.directory.organizations().length === 0 || summary.credentials === 0)
    throw new WorkRefusal("unprocessable", "/document/tables must hold organizations and credentials");
  checkRows(db, onProgress);
  const integrity = db.handle.pragma("integrity_check(1)", { simple: true });
  if (integrity !== "ok") throw contradiction(String(integrity));
  return summary;
};
