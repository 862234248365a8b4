import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import type { GivenCredentials } from "../config.ts";
import { snapshotsImport, WORLD_FORMAT_VERSION, type WorldDocument } from "../contract/control/snapshot-operations.ts";
import type { RequestOf } from "../contract/operation.ts";
import { isUuid } from "../contract/schema.ts";
import { describeViolation, parseBody } from "../operations/validation.ts";
import { detectImageType, IMAGE_HEAD_BYTES } from "../rules/media.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/worlds/world-name.ts";
import { Database } from "../storage/database.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { searchableJobs } from "../storage/jobs-store.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import { searchableProcurements } from "../storage/procurements-store.ts";
import { realTime } from "../storage/real-time.ts";
import { searchableRequests } from "../storage/requests-store.ts";
import { indexAll } from "../storage/search.ts";
import { BadSettingError } from "../storage/settings-store.ts";
import { syncFile } from "../storage/sync.ts";
import { MAX_IMAGE_BYTES } from "../uploads/media-files.ts";
import { replaceKeys, resolveKeys } from "../worlds/world-keys.ts";
import { checkWorld, contradiction } from "./check-world.ts";
import { worldTables } from "./export-document.ts";
import { type OnProgress, WorkRefusal } from "./work.ts";

interface ImportWork {
  /** The raw body of `snapshots.import`. */
  readonly from: string;
  readonly to: string;
  /** Destination of the pictures. */
  readonly media: string;
  /** The service's own credentials; null: the documented ones. */
  readonly credentials: GivenCredentials | null;
}

const refused = (message: string): WorkRefusal => new WorkRefusal("unprocessable", message);

const readBody = (file: string): RequestOf<typeof snapshotsImport> => {
  const parsed = parseBody(fs.readFileSync(file));
  if ("problem" in parsed) throw new WorkRefusal("bad_request", parsed.problem);
  // Checked before the shape, which a newer version may have changed.
  const version = (parsed.value as { document?: { format_version?: unknown } }).document?.format_version;
  if (typeof version === "number" && version !== WORLD_FORMAT_VERSION)
    throw refused(
      version > WORLD_FORMAT_VERSION
        ? `/document/format_version ${version} is from a newer version of Integrations Explorer; update it, then import the file`
        : `/document/format_version ${version} is of an earlier build of Integrations Explorer, which this one does not read`,
    );
  const problem = describeViolation(snapshotsImport.request, parsed.value);
  if (problem !== null) throw new WorkRefusal("bad_request", problem);
  return parsed.value as RequestOf<typeof snapshotsImport>;
};

/**
 * Writes pictures under generated names: an ID of a document must not become a path, and bytes that are not a picture
 * are not served as one (D64).
 */
const writePictures = (folder: string, pictures: WorldDocument["media"]): void => {
  for (const [index, { id, base64 }] of pictures.entries()) {
    const bytes = Buffer.from(base64, "base64");
    const type = detectImageType(bytes.subarray(0, IMAGE_HEAD_BYTES));
    if (!isUuid(id)) throw refused(`/document/media/${index}/id must be a UUID`);
    if (type === null || bytes.length > MAX_IMAGE_BYTES)
      throw refused(`/document/media/${index}/base64 must be a PNG, JPEG, WebP, GIF or HEIC image of at most 20 MiB`);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `${id.toLowerCase()}.${type.replace("image/", "")}`), bytes, { flush: true });
  }
};

type Cell = string | number | null | Buffer;

const parseCell = (cell: unknown, where: () => string): Cell => {
  if (cell === null || typeof cell === "number" || typeof cell === "string") return cell;
  if (typeof cell === "object" && Object.keys(cell).length === 1) {
    if ("text" in cell && typeof cell.text === "string") return Buffer.from(cell.text);
    if ("base64" in cell && typeof cell.base64 === "string") return Buffer.from(cell.base64, "base64");
  }
  throw refused(`${where()} must be null, a number, a string, {text} or {base64}`);
};

/** Only identifiers of the data version are interpolated into the statement. */
const insertTable = (
  handle: Sqlite.Database,
  known: readonly string[],
  { name, columns, rows }: WorldDocument["tables"][number],
  where: string,
): void => {
  for (const [index, column] of columns.entries())
    if (!known.includes(column) || columns.indexOf(column) !== index)
      throw refused(`${where}/columns/${index} ${column} isn’t a column of ${name} or appears twice`);
  if (columns.length === 0) throw refused(`${where}/columns must have at least 1 items`);
  const marks = columns.map(() => "?").join(", ");
  const insert = handle.prepare(`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${marks})`);
  for (const [number, row] of rows.entries()) {
    if (row.length !== columns.length)
      throw refused(`${where}/rows/${number} must have ${columns.length} cells, one for each column`);
    const values = row.map((cell, column) => parseCell(cell, () => `${where}/rows/${number}/${column}`));
    try {
      insert.run(values);
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError) || isDiskFailure(error)) throw error;
      throw refused(`${where}/rows/${number} cannot be a row of ${name}: ${error.message}`);
    }
  }
};

/** Writes the tables in the exporting version's schema. */
const makeFile = (file: string, document: WorldDocument, onProgress: OnProgress): void => {
  const { data_version, tables } = document;
  if (data_version > migrations.length)
    throw refused(
      `/document/data_version ${data_version} is from a newer version of Integrations Explorer (this one knows ${migrations.length}); update Integrations Explorer, then import it`,
    );
  const handle = new Sqlite(file);
  try {
    // Durability is not needed: nobody else knows the file, and an aborted import discards it.
    for (const setting of ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"]) handle.pragma(setting);
    migrate(handle, migrations.slice(0, data_version));
    // The document already contains the triggers' results, or they are rebuilt.
    const triggers = handle
      .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
      .all();
    const known = new Map(worldTables(handle).map(({ name, columns }) => [name, columns]));
    handle.transaction(() => {
      for (const { name } of triggers) handle.exec(`DROP TRIGGER ${name}`);
      for (const [index, table] of tables.entries()) {
        const where = `/document/tables/${index}`;
        const columns = known.get(table.name);
        if (!columns)
          throw refused(`${where}/name ${table.name} isn’t a table of data version ${data_version} or appears twice`);
        known.delete(table.name);
        insertTable(handle, columns, table, where);
        onProgress((index + 1) / tables.length);
      }
      for (const { sql } of triggers) handle.exec(sql);
    })();
  } finally {
    handle.close();
  }
};

/** Creates the file of a world that was exported elsewhere. Only cells and pictures of its document reach the disk. */
export const importDocument = (work: ImportWork, onProgress: OnProgress) => {
  const { document, name, world = DEFAULT_WORLD } = readBody(work.from);
  if (!isWorldName(world)) throw new WorkRefusal("bad_request", "/world must be 1 to 64 of A–Z a–z 0–9 . _ -");
  writePictures(work.media, document.media);
  makeFile(work.to, document, (done) => onProgress(done / 2));
  let opened: Database | undefined;
  try {
    // Migrates the rows to this version, which may reveal that no service wrote them.
    const db = new Database(work.to, { durability: "off" });
    opened = db;
    db.handle.transaction(() => {
      replaceKeys(db, resolveKeys(work.credentials, undefined), document.redacted);
      // Pauses imported subscriptions: nothing is sent before somebody enables them.
      db.run(
        "UPDATE subscriptions SET paused_at = ?, paused_by = 'import' WHERE paused_at IS NULL AND ended_at IS NULL",
        db.toStored(realTime()),
      );
      for (const list of [searchableJobs, searchableProcurements, searchableRequests]) indexAll(db, list);
    })();
    return { world, name, summary: checkWorld(db, (done) => onProgress(0.5 + done / 2)) };
  } catch (error) {
    const isOfRows = error instanceof Sqlite.SqliteError && !isDiskFailure(error);
    throw isOfRows || error instanceof BadSettingError ? contradiction(error.message) : error;
  } finally {
    opened?.close();
    syncFile(work.to);
  }
};
