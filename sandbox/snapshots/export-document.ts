import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { WORLD_FORMAT, WORLD_FORMAT_VERSION, type WorldDocument } from "../contract/control/snapshot-operations.ts";
import { maskSecret } from "../contract/known-secrets.ts";
import { MAX_DOCUMENT_BYTES } from "../contract/values.ts";
import { createRedactor, readSecrets, redactBytes, SECRET_COLUMNS } from "../secrets/masking.ts";
import { copySnapshot } from "./read-snapshot.ts";
import { type OnProgress, WorkRefusal } from "./work.ts";

interface ExportWork {
  readonly from: string;
  /** The snapshot's name; null for a world's file, which the service may have open. */
  readonly snapshot: string | null;
  /** Destination of the snapshot's copy. */
  readonly copy: string;
  /** Folder of the pictures. */
  readonly media: string;
  readonly to: string;
  /** True if the document contains keys and secrets. */
  readonly reveal: boolean;
  /** Values to mask besides the secrets of the file and the service. */
  readonly secrets: readonly string[];
  readonly about: Pick<WorldDocument, "version" | "exported_at" | "world">;
}

type Value = string | number | null | Buffer;
type Redact = (text: string) => string;
const keepValue: Redact = (text) => text;

/** Marks rows missing from the search index, which is rebuilt when needed. */
const DERIVED = "unindexed";

/** The tables of a world's file and their stored columns, without the search index. */
export const worldTables = (handle: Sqlite.Database) => {
  const names = handle
    .prepare<[string], string>(
      "SELECT name FROM sqlite_schema JOIN pragma_table_list USING (name) WHERE pragma_table_list.type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> ? ORDER BY sqlite_schema.rowid",
    )
    .pluck()
    .all(DERIVED);
  return names.map((name) => ({
    name,
    columns: (handle.pragma(`table_info(${name})`) as { name: string }[]).map((column) => column.name),
  }));
};

/** Access codes are secrets throughout. */
const LEFT_OUT = new Set(["access_codes"]);

/** Returns every secret of a world. */
export const findSecrets = (handle: Sqlite.Database): string[] =>
  readSecrets((sql) => handle.prepare<[], string>(sql).pluck().all());

/** BLOBs become `{text}` or `{base64}`; `import-document.ts` reads both. */
const exportCell = (value: Value, redact: Redact): unknown => {
  if (typeof value === "string") return redact(value);
  if (!Buffer.isBuffer(value)) return value;
  return isUtf8(value)
    ? { text: redact(value.toString("utf8")) }
    : { base64: redactBytes(value, redact).toString("base64") };
};

/** Opens a text file that is limited to the size that can be imported. */
const textFile = (file: string) => {
  const descriptor = fs.openSync(file, "wx", 0o600);
  let bytes = 0;
  const write = (text: string): void => {
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_DOCUMENT_BYTES)
      throw new WorkRefusal(
        "unprocessable",
        `the world is too large for one document (at most ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB). Copy the data folder instead, or lower the retention limits`,
      );
    fs.writeFileSync(descriptor, text);
  };
  return { write, close: () => fs.closeSync(descriptor) };
};
type TextFile = ReturnType<typeof textFile>;

/** @param redact null: secrets stay */
const exportTables = (handle: Sqlite.Database, out: TextFile, redact: Redact | null, onProgress: OnProgress): void => {
  const tables = worldTables(handle);
  for (const [index, { name, columns }] of tables.entries()) {
    out.write(
      `${index === 0 ? "" : ","}\n{"name":${JSON.stringify(name)},"columns":${JSON.stringify(columns)},"rows":[`,
    );
    const secret = new Set(redact ? SECRET_COLUMNS[name] : []);
    const mask = columns.map((column) => (secret.has(column) ? maskSecret : (redact ?? keepValue)));
    // Removes details of other worlds, which the recipient must not see.
    const read = columns.map((column) =>
      column === "refused_for" ? "json_remove(refused_for, '$.elsewhere', '$.next.elsewhere') AS refused_for" : column,
    );
    const rows = handle.prepare<[], Value[]>(`SELECT ${read.join(", ")} FROM ${name}`).raw();
    let first = true;
    for (const row of redact && LEFT_OUT.has(name) ? [] : rows.iterate()) {
      const cells = row.map((value, column) => exportCell(value, mask[column] ?? keepValue));
      out.write(`${first ? "" : ","}\n${JSON.stringify(cells)}`);
      first = false;
    }
    out.write("]}");
    onProgress((index + 1) / tables.length);
  }
};

const exportPictures = (folder: string, out: TextFile, redact: Redact | null): void => {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  for (const [index, name] of names.entries()) {
    const bytes = fs.readFileSync(path.join(folder, name));
    const base64 = (redact ? redactBytes(bytes, redact) : bytes).toString("base64");
    out.write(`${index === 0 ? "" : ","}\n${JSON.stringify({ id: path.parse(name).name, base64 })}`);
  }
};

/** Writes a world or a snapshot as a document. Streams row by row, because a world may exceed memory.
 *
 * @returns null: the result is the file
 */
export const exportDocument = (
  { from, snapshot, copy, media, to, reveal, secrets, about }: ExportWork,
  onProgress: OnProgress,
): null => {
  const { handle } =
    snapshot === null ? { handle: new Sqlite(from, { readonly: true }) } : copySnapshot(snapshot, from, copy);
  const out = textFile(to);
  try {
    handle.exec("BEGIN");
    const data_version = Number(handle.pragma("user_version", { simple: true }));
    const head = {
      format: WORLD_FORMAT,
      format_version: WORLD_FORMAT_VERSION,
      data_version,
      ...about,
      redacted: !reveal,
    };
    out.write(`${JSON.stringify(head).slice(0, -1)},"tables":[`);
    const redact = reveal ? null : createRedactor([...secrets, ...findSecrets(handle)]);
    exportTables(handle, out, redact, onProgress);
    out.write('],"media":[');
    exportPictures(media, out, redact);
    out.write("]}");
  } finally {
    handle.close();
    out.close();
  }
  return null;
};
