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
import type { Database } from "../storage/database.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { searchableJobs } from "../storage/jobs-store.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import { searchableProcurements } from "../storage/procurements-store.ts";
import { searchableRequests } from "../storage/requests-store.ts";
import { indexAll } from "../storage/search.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import { syncFile } from "../storage/sync.ts";
import { LARGEST_IMAGE_BYTES } from "../uploads/media-files.ts";
import { fixedClients, fixedCredentials } from "../worlds/seed/fixed.ts";
import { checkWorld, openImported } from "./check-world.ts";
import { type OnProgress, WorkRefusal } from "./work.ts";
import { worldTables } from "./world-tables.ts";

interface ImportWork {
  /** The body of snapshots.import, as it was sent. */
  readonly from: string;
  readonly to: string;
  /** Where the pictures belong. */
  readonly media: string;
  /** This service's own; null: the documented ones. */
  readonly credentials: GivenCredentials | null;
}
interface Imported {
  readonly world: string;
  readonly name: string | undefined;
  readonly summary: WorldSummary;
}

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
type Side = keyof Own["credentials"];
const documented: Own = { credentials: fixedCredentials, clients: fixedClients };

type Cell = string | number | null | Buffer;

const cellOf = (cell: unknown, where: () => string): Cell => {
  if (cell === null || typeof cell === "number" || typeof cell === "string") return cell;
  if (typeof cell === "object" && Object.keys(cell).length === 1) {
    if ("text" in cell && typeof cell.text === "string") return Buffer.from(cell.text);
    if ("base64" in cell && typeof cell.base64 === "string") return Buffer.from(cell.base64, "base64");
  }
  throw refused(`${where()} must be null, a number, a string, {text} or {base64}`);
};

/** Only names the data version has come into a statement. */
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
    const values = row.map((cell, column) => cellOf(cell, () => `${where}/rows/${number}/${column}`));
    try {
      insert.run(values);
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError) || isDiskFailure(error)) throw error;
      throw refused(`${where}/rows/${number} cannot be a row of ${name}: ${error.message}`);
    }
  }
};

/** Writes the tables as the version had them that exported them, and brings them to this one. */
const makeFile = (file: string, document: WorldDocument, onProgress: OnProgress): void => {
  const { data_version, tables } = document;
  if (data_version > migrations.length)
    throw refused(
      `/document/data_version ${data_version} is of a newer version of Integrations Explorer (this one knows ${migrations.length}); update Integrations Explorer, then import it`,
    );
  const handle = new Sqlite(file);
  try {
    // Nobody else knows the file, and nothing of it is kept should this end before it does.
    for (const setting of ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"]) handle.pragma(setting);
    migrate(handle, migrations.slice(0, data_version));
    // What triggers keep is in the document already, or made anew.
    const triggers = handle
      .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
      .all();
    const known = new Map(worldTables(data_version).map(({ name, columns }) => [name, columns]));
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
    migrate(handle, migrations);
  } finally {
    handle.close();
  }
};

/** The tables whose rows name an integration. What calls and answers say of it in their texts stays as it was said. */
const NAMING_INTEGRATIONS = ["credentials", "subscriptions", "receivers", "requests"] as const;
const NAMING_CLIENTS = ["credentials", "access_codes", "clients"] as const;

/** Pre-loaded credentials and clients become this service's own; other keys, where they were left out, are made anew. */
const giveKeys = (db: Database, own: Own, redacted: boolean): void => {
  const rename = (tables: readonly string[], column: string, from: string, to: string): void => {
    for (const table of tables) db.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, to, from);
  };
  type Kept = {
    readonly seq: number;
    readonly integration_id: string;
    readonly scope: Side;
    readonly preloaded: 0 | 1;
  };
  for (const { seq, integration_id, scope, preloaded } of db.all<Kept>("SELECT * FROM credentials")) {
    if (preloaded === 0 && !redacted) continue;
    const [api_key, webhook_secret] =
      preloaded === 1
        ? [own.credentials[scope].api_key, own.credentials[scope].webhook_secret]
        : [installedKey(randomUUID()), webhookSecret(randomBytes(32))];
    db.run("UPDATE credentials SET api_key = ?, webhook_secret = ? WHERE seq = ?", api_key, webhook_secret, seq);
    if (preloaded === 1)
      rename(NAMING_INTEGRATIONS, "integration_id", integration_id, own.credentials[scope].integration_id);
  }
  for (const [enabled, client] of [own.clients.no_oauth, own.clients.demo].entries()) {
    const found = db.get<{ client_id: string }>("SELECT client_id FROM clients WHERE oauth_enabled = ?", enabled);
    if (!found) continue;
    rename(NAMING_CLIENTS, "client_id", found.client_id, client.client_id);
    db.run("UPDATE clients SET client_secret = ? WHERE client_id = ?", client.client_secret, client.client_id);
  }
};

/** What was subscribed elsewhere is not notified from here before somebody says so. */
const pauseSubscriptions = (db: Database, now: number): void => {
  db.run(
    "UPDATE subscriptions SET paused_at = ?, paused_by = 'import' WHERE paused_at IS NULL AND ended_at IS NULL",
    db.toStored(now),
  );
};

/** Makes the file of a world that was exported elsewhere. Nothing of its document but cells and pictures reaches a file. */
export const importDocument = (work: ImportWork, onProgress: OnProgress): Imported => {
  const { document, name, world = DEFAULT_WORLD } = bodyIn(work.from);
  if (!isWorldName(world)) throw new WorkRefusal("bad_request", "/world must be 1 to 64 of A–Z a–z 0–9 . _ -");
  const own = work.credentials ?? documented;
  writePictures(work.media, document.media);
  makeFile(work.to, document, (done) => onProgress(done / 2));
  const db = openImported(work.to);
  try {
    db.handle.transaction(() => {
      giveKeys(db, own, document.redacted);
      pauseSubscriptions(db, Date.now());
      for (const list of [searchableJobs, searchableProcurements, searchableRequests]) indexAll(db, list);
    })();
    return { world, name, summary: checkWorld(db, (done) => onProgress(0.5 + done / 2)) };
  } finally {
    db.close();
    syncFile(work.to);
  }
};
