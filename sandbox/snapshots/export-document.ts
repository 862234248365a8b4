import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { WORLD_FORMAT, WORLD_FORMAT_VERSION, type WorldDocument } from "../contract/control/snapshot-operations.ts";
import { maskSecret } from "../contract/known-secrets.ts";
import { LARGEST_DOCUMENT_BYTES } from "../contract/values.ts";
import { readSecrets, redactedBytes, redactor, SECRET_COLUMNS } from "../secrets/masking.ts";
import { copySnapshot } from "./read-snapshot.ts";
import { type OnProgress, WorkRefusal } from "./work.ts";

interface ExportWork {
  readonly from: string;
  /** The name of the snapshot the file is; null: a world's, which the service may have open. */
  readonly snapshot: string | null;
  /** Where a copy of the snapshot belongs. */
  readonly copy: string;
  /** Where its pictures lie. */
  readonly media: string;
  readonly to: string;
  /** Whether keys and secrets are in it. */
  readonly reveal: boolean;
  /** What is masked beside the secrets of the file and of the service. */
  readonly secrets: readonly string[];
  readonly about: Pick<WorldDocument, "version" | "exported_at" | "world">;
}

type Value = string | number | null | Buffer;
type Redact = (text: string) => string;
const asItIs: Redact = (text) => text;

/** What the index of the search does not know: the index is made anew where it is needed. */
const DERIVED = "unindexed";

/** The tables of a world's file, with the columns that are stored. The index of the search is none of them. */
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

/** Codes are left out whole. */
const LEFT_OUT = new Set(["access_codes"]);

/** Every secret of a world. */
export const secretsIn = (handle: Sqlite.Database): string[] =>
  readSecrets((sql) => handle.prepare<[], string>(sql).pluck().all());

const cell = (value: Value, redact: Redact): unknown => {
  if (typeof value === "string") return redact(value);
  if (!Buffer.isBuffer(value)) return value;
  return isUtf8(value)
    ? { text: redact(value.toString("utf8")) }
    : { base64: redactedBytes(value, redact).toString("base64") };
};

/** Opens a text file that becomes no larger than what can be imported. */
const textFile = (file: string) => {
  const descriptor = fs.openSync(file, "wx", 0o600);
  let bytes = 0;
  const write = (text: string): void => {
    bytes += Buffer.byteLength(text);
    if (bytes > LARGEST_DOCUMENT_BYTES)
      throw new WorkRefusal(
        "unprocessable",
        `the world is too large for one document (at most ${LARGEST_DOCUMENT_BYTES / 1024 / 1024} MiB). Copy the data folder instead, or lower the retention limits`,
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
    const mask = columns.map((column) => (secret.has(column) ? maskSecret : (redact ?? asItIs)));
    // What lies in other worlds is no matter of whoever is handed this one.
    const read = columns.map((column) =>
      column === "refused_for" ? "json_remove(refused_for, '$.elsewhere') AS refused_for" : column,
    );
    const rows = handle.prepare<[], Value[]>(`SELECT ${read.join(", ")} FROM ${name}`).raw();
    let first = true;
    for (const row of redact && LEFT_OUT.has(name) ? [] : rows.iterate()) {
      const cells = row.map((value, column) => cell(value, mask[column] ?? asItIs));
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
    const base64 = (redact ? redactedBytes(bytes, redact) : bytes).toString("base64");
    out.write(`${index === 0 ? "" : ","}\n${JSON.stringify({ id: path.parse(name).name, base64 })}`);
  }
};

/** Writes a world, or a snapshot of one, as a document: row by row, so that it is never in memory as a whole. */
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
    const redact = reveal ? null : redactor([...secrets, ...secretsIn(handle)]);
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
