import Sqlite from "better-sqlite3";
import type { WorldDocument } from "../contract/control/snapshot-rows.ts";
import { migrate } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import { type WorldTable, worldTables } from "./world-tables.ts";

/** A document is no world: what is wrong with it, in words. */
export class BadDocumentError extends Error {}

type Document = Pick<WorldDocument, "data_version" | "tables">;

const isBytes = (value: object): value is { readonly text?: unknown; readonly base64?: unknown } =>
  Object.keys(value).length === 1 && ("text" in value || "base64" in value);

const cellValue = (cell: unknown, rename: (text: string) => string, where: string): string | number | null | Buffer => {
  if (cell === null || typeof cell === "number") return cell;
  if (typeof cell === "string") return rename(cell);
  if (typeof cell === "object" && isBytes(cell)) {
    if (typeof cell.text === "string") return Buffer.from(rename(cell.text));
    if (typeof cell.base64 === "string") return Buffer.from(cell.base64, "base64");
  }
  throw new BadDocumentError(`${where} must be null, a number, a string, {text} or {base64}`);
};

const insertTable = (
  handle: Sqlite.Database,
  { name, columns, rows }: Document["tables"][number],
  rename: (text: string) => string,
  where: string,
): void => {
  const insert = handle.prepare(
    `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  for (const [index, row] of rows.entries()) {
    const place = `${where}/rows/${index}`;
    if (row.length !== columns.length)
      throw new BadDocumentError(`${place} must have ${columns.length} cells, one for each column`);
    const values = row.map((cell, column) => cellValue(cell, rename, `${place}/${column}`));
    try {
      insert.run(...values);
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError) || !/^SQLITE_(CONSTRAINT|MISMATCH)/.test(error.code)) throw error;
      throw new BadDocumentError(`${place} cannot be a row of ${name}: ${error.message}`);
    }
  }
};

/** Only names the data version has come into a statement. */
const checkTable = (
  { name, columns }: Document["tables"][number],
  known: ReadonlyMap<string, WorldTable>,
  version: number,
  where: string,
): void => {
  const table = known.get(name);
  if (!table)
    throw new BadDocumentError(`${where}/name ${name} is no table of data version ${version}, or is there twice`);
  if (columns.length === 0) throw new BadDocumentError(`${where}/columns must have at least 1 items`);
  for (const [index, column] of columns.entries()) {
    if (!table.columns.includes(column) || columns.indexOf(column) !== index)
      throw new BadDocumentError(`${where}/columns/${index} ${column} is no column of ${name}, or is there twice`);
  }
};

const insertAll = (handle: Sqlite.Database, document: Document, rename: (text: string) => string): void => {
  const { data_version, tables } = document;
  const known = new Map(worldTables(data_version).map((table) => [table.name, table]));
  // What triggers count is in the document already.
  const triggers = handle
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) handle.exec(`DROP TRIGGER ${name}`);
  for (const [index, table] of tables.entries()) {
    const where = `/document/tables/${index}`;
    checkTable(table, known, data_version, where);
    known.delete(table.name);
    handle.exec(`DELETE FROM ${table.name}`);
    insertTable(handle, table, rename, where);
  }
  for (const { sql } of triggers) handle.exec(sql);
};

/**
 * Makes a world's file of a document, with the tables of the version it was exported by, and brings it to this one.
 * Nothing of a document but its cells reaches the file.
 *
 * @param rename what every text is passed through
 * @throws BadDocumentError
 */
export const importTables = (file: string, document: Document, rename: (text: string) => string): void => {
  const { data_version } = document;
  if (data_version > migrations.length) {
    throw new BadDocumentError(
      `/document/data_version ${data_version} is of a newer version of Integrations Explorer (this one knows ${migrations.length}); update Integrations Explorer, then import it`,
    );
  }
  const handle = new Sqlite(file);
  try {
    handle.pragma("journal_mode = MEMORY");
    migrate(handle, migrations.slice(0, data_version));
    handle.transaction(() => insertAll(handle, document, rename))();
    migrate(handle);
    if (
      handle.prepare("SELECT count(*) FROM meta WHERE key = 'epoch' AND CAST(value AS INTEGER) > 0").pluck().get() !== 1
    )
      throw new BadDocumentError("/document/tables must hold meta with the world's epoch");
    if (handle.pragma("quick_check(1)", { simple: true }) !== "ok")
      throw new BadDocumentError("/document/tables do not make a sound world");
  } finally {
    handle.close();
  }
};
