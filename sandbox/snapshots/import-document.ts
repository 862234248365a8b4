import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import type { GivenClient, GivenCredentials } from "../config.ts";
import { snapshotsImport } from "../contract/control/snapshot-operations.ts";
import { WORLD_FORMAT_VERSION, type WorldDocument } from "../contract/control/snapshot-rows.ts";
import type { RequestOf } from "../contract/operation.ts";
import { isUuid } from "../contract/schema.ts";
import { parseBody, violation } from "../operations/validation.ts";
import { IMAGE_HEAD_BYTES, imageTypeOf } from "../rules/image-type.ts";
import { installedKey, webhookSecret } from "../rules/keys.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/world-name.ts";
import { Database } from "../storage/database.ts";
import { searchableJobs } from "../storage/jobs-store.ts";
import { indexAll } from "../storage/lists.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import { searchableProcurements } from "../storage/procurements-store.ts";
import { BadSettingError } from "../storage/settings-store.ts";
import { syncFile } from "../storage/sync.ts";
import { LARGEST_IMAGE_BYTES } from "../uploads/media-files.ts";
import { fixedClients, fixedCredentials } from "../worlds/seed/fixed.ts";
import { checkWorld } from "./check-world.ts";
import { type ImportWork, type OnProgress, WorkRefusal, type WorkResults } from "./work.ts";
import { type WorldTable, worldTables } from "./world-tables.ts";

const refused = (message: string): WorkRefusal => new WorkRefusal("unprocessable", message);

const bodyIn = (file: string): RequestOf<typeof snapshotsImport> => {
  const parsed = parseBody(fs.readFileSync(file));
  if ("problem" in parsed) throw new WorkRefusal("bad_request", parsed.problem);
  // Before the shape, which a newer version may have changed.
  const version = (parsed.value as { document?: { format_version?: unknown } }).document?.format_version;
  if (typeof version === "number" && version !== WORLD_FORMAT_VERSION)
    throw refused(
      version > WORLD_FORMAT_VERSION
        ? `/document/format_version ${version} is of a newer version of Integrations Explorer; update it, then import the file`
        : `/document/format_version ${version} is of an earlier build of Integrations Explorer, which this one does not read`,
    );
  const problem = violation(snapshotsImport.request, parsed.value);
  if (problem !== null) throw new WorkRefusal("bad_request", problem);
  return parsed.value as RequestOf<typeof snapshotsImport>;
};

/**
 * Writes pictures into a folder under names of their own making: an id of a document must not lead anywhere, and what is
 * no picture by its bytes is not served as one (D64).
 */
const writePictures = (folder: string, pictures: WorldDocument["media"]): void => {
  for (const [index, { id, base64 }] of pictures.entries()) {
    const bytes = Buffer.from(base64, "base64");
    const type = imageTypeOf(bytes.subarray(0, IMAGE_HEAD_BYTES));
    if (!isUuid(id)) throw refused(`/document/media/${index}/id must be a UUID`);
    if (type === null || bytes.length > LARGEST_IMAGE_BYTES)
      throw refused(`/document/media/${index}/base64 must be a PNG, JPEG, WebP, GIF or HEIC image of at most 20 MiB`);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `${id.toLowerCase()}.${type.replace("image/", "")}`), bytes, { flush: true });
  }
};

/** What a service's pre-loaded credentials and clients are. */
interface Own {
  readonly credentials: GivenCredentials["credentials"];
  readonly clients: Readonly<Record<"demo" | "no_oauth", Pick<GivenClient, "client_id" | "client_secret">>>;
}
const documented: Own = { credentials: fixedCredentials, clients: fixedClients };

/** Passes texts through that name the pre-loaded integrations of a document, which may have other ids here. */
const renaming = (document: WorldDocument, own: Own): ((text: string) => string) => {
  const table = document.tables.find(({ name }) => name === "credentials");
  const [id, scope, preloaded] = ["integration_id", "scope", "preloaded"].map((name) => table?.columns.indexOf(name));
  const renamed = new Map<unknown, string>();
  for (const row of table?.rows ?? []) {
    const [from, side] = [row[id ?? -1], row[scope ?? -1]];
    if (row[preloaded ?? -1] !== 1 || (side !== "repairer" && side !== "supplier")) continue;
    const here = own.credentials[side].integration_id;
    if (from !== here && typeof from === "string" && /^[0-9a-f-]{36}$/i.test(from)) renamed.set(from, here);
  }
  if (renamed.size === 0) return (text) => text;
  const pattern = new RegExp([...renamed.keys()].join("|"), "g");
  return (text) => text.replace(pattern, (found) => renamed.get(found) ?? found);
};

type Cell = string | number | null | Buffer;

const cellOf = (cell: unknown, rename: (text: string) => string, where: string): Cell => {
  if (cell === null || typeof cell === "number") return cell;
  if (typeof cell === "string") return rename(cell);
  if (typeof cell === "object" && Object.keys(cell).length === 1) {
    if ("text" in cell && typeof cell.text === "string") return Buffer.from(rename(cell.text));
    if ("base64" in cell && typeof cell.base64 === "string") return Buffer.from(cell.base64, "base64");
  }
  throw refused(`${where} must be null, a number, a string, {text} or {base64}`);
};

/**
 * The highest `seq` of a document. The log counts microseconds since 1970, which are fewer until 2065; above it there is
 * room for more rows than there will ever be.
 */
const HIGHEST_SEQ = 3_000_000_000_000_000;

/** Only names the data version has come into a statement. */
const checkTable = (
  { name, columns }: WorldDocument["tables"][number],
  known: ReadonlyMap<string, WorldTable>,
  version: number,
  where: string,
): void => {
  const table = known.get(name);
  if (!table) throw refused(`${where}/name ${name} is no table of data version ${version}, or is there twice`);
  if (columns.length === 0) throw refused(`${where}/columns must have at least 1 items`);
  for (const [index, column] of columns.entries()) {
    if (!table.columns.includes(column) || columns.indexOf(column) !== index)
      throw refused(`${where}/columns/${index} ${column} is no column of ${name}, or is there twice`);
  }
};

const insertAll = (
  handle: Sqlite.Database,
  { data_version, tables }: WorldDocument,
  rename: (text: string) => string,
  onProgress: OnProgress,
): void => {
  const known = new Map(worldTables(data_version).map((table) => [table.name, table]));
  const total = tables.reduce((sum, { rows }) => sum + rows.length, 0);
  let done = 0;
  for (const [index, table] of tables.entries()) {
    const { name, columns, rows } = table;
    const where = `/document/tables/${index}`;
    checkTable(table, known, data_version, where);
    known.delete(name);
    handle.exec(`DELETE FROM ${name}`);
    const marks = columns.map(() => "?").join(", ");
    const insert = handle.prepare(`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${marks})`);
    for (const [number, row] of rows.entries()) {
      const pointer = `${where}/rows/${number}`;
      if (row.length !== columns.length)
        throw refused(`${pointer} must have ${columns.length} cells, one for each column`);
      const values = row.map((cell, column) => cellOf(cell, rename, `${pointer}/${column}`));
      let inserted: number | bigint;
      try {
        inserted = insert.run(...values).lastInsertRowid;
      } catch (error) {
        if (!(error instanceof Sqlite.SqliteError) || !/^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(error.code))
          throw error;
        const why = error.code === "SQLITE_MISMATCH" ? `${name}.seq must be an integer` : error.message;
        throw refused(`${pointer} cannot be a row of ${name}: ${why}`);
      }
      if (inserted > HIGHEST_SEQ)
        throw refused(`${pointer} cannot be a row of ${name}: ${name}.seq must be at most ${HIGHEST_SEQ}`);
      done += 1;
      onProgress(done / total);
    }
  }
};

/** Where rows name others that are not there. */
const checkReferences = (handle: Sqlite.Database): void => {
  const [missing] = handle.pragma("foreign_key_check") as { table: string; rowid: number | null; fkid: number }[];
  if (!missing) return;
  const { table, rowid, fkid } = missing;
  const declared = handle.pragma(`foreign_key_list(${table})`) as { id: number; from: string; table: string }[];
  const reference = declared.find(({ id }) => id === fkid);
  throw refused(
    `/document/tables do not hold together: ${rowid === null ? "a row" : `row ${rowid}`} of ${table} names in ${reference?.from} one of ${reference?.table} that is not there`,
  );
};

/** Writes the tables as the version had them that exported them, and brings them to this one. */
const makeFile = (file: string, document: WorldDocument, rename: (text: string) => string, onProgress: OnProgress) => {
  const { data_version } = document;
  if (data_version > migrations.length)
    throw refused(
      `/document/data_version ${data_version} is of a newer version of Integrations Explorer (this one knows ${migrations.length}); update Integrations Explorer, then import it`,
    );
  const handle = new Sqlite(file);
  try {
    handle.pragma("journal_mode = MEMORY");
    handle.pragma("foreign_keys = OFF");
    migrate(handle, migrations.slice(0, data_version));
    // What triggers count is in the document already.
    const triggers = handle
      .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
      .all();
    handle.transaction(() => {
      for (const { name } of triggers) handle.exec(`DROP TRIGGER ${name}`);
      insertAll(handle, document, rename, onProgress);
      for (const { sql } of triggers) handle.exec(sql);
    })();
    migrate(handle, migrations);
    checkReferences(handle);
  } finally {
    handle.close();
  }
};

/** Pre-loaded credentials and clients become this service's own; other keys, where they were left out, are made anew. */
const giveKeys = (db: Database, own: Own, redacted: boolean): void => {
  for (const scope of ["repairer", "supplier"] as const) {
    const { api_key, webhook_secret } = own.credentials[scope];
    db.run(
      "UPDATE credentials SET api_key = ?, webhook_secret = ? WHERE preloaded = 1 AND scope = ?",
      api_key,
      webhook_secret,
      scope,
    );
  }
  if (redacted) {
    for (const { seq } of db.all<{ seq: number }>("SELECT seq FROM credentials WHERE preloaded = 0")) {
      const [key, secret] = [installedKey(randomUUID()), webhookSecret(randomBytes(32))];
      db.run("UPDATE credentials SET api_key = ?, webhook_secret = ? WHERE seq = ?", key, secret, seq);
    }
  }
  const clients = [
    [1, own.clients.demo],
    [0, own.clients.no_oauth],
  ] as const;
  for (const [enabled, { client_id, client_secret }] of clients) {
    const found = db.get<{ client_id: string }>("SELECT client_id FROM clients WHERE oauth_enabled = ?", enabled);
    if (!found) continue;
    for (const table of ["credentials", "access_codes", "clients"])
      db.run(`UPDATE ${table} SET client_id = ? WHERE client_id = ?`, client_id, found.client_id);
    db.run("UPDATE clients SET client_secret = ? WHERE client_id = ?", client_secret, client_id);
  }
};

/** What was subscribed elsewhere is not notified from here before somebody says so. */
const pauseSubscriptions = (db: Database, now: number): void => {
  db.run(
    "UPDATE subscriptions SET paused_at = ?, paused_by = 'import' WHERE paused_at IS NULL AND ended_at IS NULL",
    db.toStored(now),
  );
};

const openImported = (file: string): Database => {
  try {
    return new Database(file, { durability: "off" });
  } catch (error) {
    if (!(error instanceof BadSettingError)) throw error;
    throw new WorkRefusal("unprocessable", `/document/tables do not hold together: ${error.message}`);
  }
};

/** Makes the file of a world that was exported elsewhere. Nothing of its document but cells and pictures reaches a file. */
export const importDocument = async (work: ImportWork, onProgress: OnProgress): Promise<WorkResults["import"]> => {
  const { document, name, world = DEFAULT_WORLD } = bodyIn(work.from);
  if (!isWorldName(world)) throw new WorkRefusal("bad_request", "/world must be 1 to 64 of A–Z a–z 0–9 . _ -");
  const own = work.credentials ?? documented;
  writePictures(work.media, document.media);
  makeFile(work.to, document, renaming(document, own), (done) => onProgress(done / 2));
  const db = openImported(work.to);
  try {
    db.handle.transaction(() => {
      giveKeys(db, own, document.redacted);
      pauseSubscriptions(db, Date.now());
      for (const list of [searchableJobs, searchableProcurements]) indexAll(db, list);
    })();
    const summary = await checkWorld(db, (done) => onProgress(0.5 + done / 2));
    return { world, name, summary };
  } finally {
    db.close();
    syncFile(work.to);
  }
};
