import { isUtf8 } from "node:buffer";
import Sqlite from "better-sqlite3";
import type { WorldDocument } from "../contract/control/snapshot-rows.ts";
import { maskSecret } from "../rules/keys.ts";
import { redactor } from "../rules/redaction.ts";
import { worldTables } from "./world-tables.ts";

type Table = WorldDocument["tables"][number];
type Value = string | number | null | Buffer;
type Redact = (text: string) => string;

/** What a world holds of secrets, and in which column; codes are left out whole. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  credentials: ["api_key", "webhook_secret"],
  clients: ["client_secret"],
  access_codes: ["code"],
};
const LEFT_OUT = new Set(["access_codes"]);
/** Of this one file and machine. */
const NOT_EXPORTED_META = new Set(["settled", "settling", "touched_at"]);

const secretsOf = (handle: Sqlite.Database): string[] =>
  Object.entries(SECRETS).flatMap(([table, columns]) =>
    columns.flatMap((column) => handle.prepare(`SELECT ${column} FROM ${table}`).pluck().all() as string[]),
  );

const cell = (value: Value, redact: Redact): unknown => {
  if (typeof value === "string") return redact(value);
  if (!Buffer.isBuffer(value)) return value;
  return isUtf8(value) ? { text: redact(value.toString("utf8")) } : { base64: value.toString("base64") };
};

const exported = (handle: Sqlite.Database, name: string, columns: readonly string[], redact: Redact | null): Table => {
  if (redact && LEFT_OUT.has(name)) return { name, columns: [...columns], rows: [] };
  const secret = new Set(redact ? SECRETS[name] : []);
  const asIs: Redact = (text) => text;
  const mask: readonly Redact[] = columns.map((column) => (secret.has(column) ? maskSecret : (redact ?? asIs)));
  const rows: unknown[][] = [];
  for (const row of handle
    .prepare(`SELECT ${columns.join(", ")} FROM ${name}`)
    .raw()
    .iterate() as Iterable<Value[]>) {
    if (name === "meta" && NOT_EXPORTED_META.has(String(row[0]))) continue;
    rows.push(row.map((value, index) => cell(value, mask[index] ?? asIs)));
  }
  return { name, columns: [...columns], rows };
};

/**
 * The content of a world's file, to be written down elsewhere.
 *
 * @param reveal whether keys and secrets are in it
 */
export const exportTables = (
  handle: Sqlite.Database,
  reveal: boolean,
): Pick<WorldDocument, "data_version" | "tables" | "redacted"> => {
  const data_version = Number(handle.pragma("user_version", { simple: true }));
  const redact = reveal ? null : redactor(secretsOf(handle));
  const tables = worldTables(data_version).map(({ name, columns }) => exported(handle, name, columns, redact));
  return { data_version, redacted: !reveal, tables };
};

/** The same of a file that nobody has open. */
export const exportFile = (file: string, reveal: boolean): ReturnType<typeof exportTables> => {
  const handle = new Sqlite(file, { fileMustExist: true });
  try {
    handle.pragma("locking_mode = EXCLUSIVE");
    return exportTables(handle, reveal);
  } finally {
    handle.close();
  }
};
