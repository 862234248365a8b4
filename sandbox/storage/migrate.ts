import fs from "node:fs";
import Sqlite from "better-sqlite3";

/** Marks a file as ours in its header. Builds before the first release left it 0. */
export const APPLICATION_ID = 0x49455831;

/** Another version of this program wrote the file. It is left untouched. */
export class OtherVersionError extends Error {
  readonly age: "newer" | "earlier";

  constructor(file: string, age: "newer" | "earlier") {
    super(
      age === "newer"
        ? `${file} was written by a newer version of Integrations Explorer. Update Integrations Explorer, or choose another data folder.`
        : `${file} was made by an earlier build of Integrations Explorer, which this one does not read. Move it away, or choose another data folder.`,
    );
    this.name = "OtherVersionError";
    this.age = age;
  }
}

interface Mark {
  readonly version: number;
  readonly application: number;
}

const readMark = (handle: Sqlite.Database): Mark => ({
  version: Number(handle.pragma("user_version", { simple: true })),
  application: Number(handle.pragma("application_id", { simple: true })),
});

const otherVersion = (file: string, { version, application }: Mark, known: number): OtherVersionError | null => {
  if (version > 0 && application !== APPLICATION_ID) return new OtherVersionError(file, "earlier");
  return version > known ? new OtherVersionError(file, "newer") : null;
};

/** Runs the pending migrations, all or none. @throws OtherVersionError */
export const migrate = (handle: Sqlite.Database, steps: readonly string[]): void => {
  const mark = readMark(handle);
  const other = otherVersion(handle.name, mark, steps.length);
  if (other) throw other;
  if (mark.version === steps.length) return;
  handle.transaction(() => {
    for (const step of steps.slice(mark.version)) handle.exec(step);
    handle.pragma(`application_id = ${APPLICATION_ID}`);
    handle.pragma(`user_version = ${steps.length}`);
  })();
};

const MAGIC = "SQLite format 3\0";
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const NO_DATABASE: Mark = { version: 0, application: 0 };

/**
 * A folder, or a file without read permission. Other errors, such as too many open files, say nothing about the file.
 */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["EISDIR", "EACCES", "EPERM"].includes(String(error.code));

/** Reads the mark from the file's header, which is current only without a WAL. */
const readHeaderMark = (file: string): Mark => {
  const bytes = Buffer.alloc(APPLICATION_ID_AT + 4);
  const descriptor = fs.openSync(file, "r");
  try {
    fs.readSync(descriptor, bytes, 0, bytes.length, 0);
  } finally {
    fs.closeSync(descriptor);
  }
  if (bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return NO_DATABASE;
  return { version: bytes.readUInt32BE(USER_VERSION_AT), application: bytes.readUInt32BE(APPLICATION_ID_AT) };
};

const loggedMark = (file: string, header: Mark): Mark => {
  let handle: Sqlite.Database | undefined;
  try {
    handle = new Sqlite(file, { readonly: true, timeout: 0 });
    return readMark(handle);
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB|CANTOPEN)/.test(error.code)) return header;
    throw error;
  } finally {
    handle?.close();
  }
};

/** Reads the version without opening the file for writing, which would checkpoint its WAL or leave a new one. */
const fileMark = (file: string): Mark => {
  if (!fs.existsSync(file)) return NO_DATABASE;
  try {
    const header = readHeaderMark(file);
    return fs.existsSync(`${file}-wal`) ? loggedMark(file, header) : header;
  } catch (error) {
    if (isUnreadable(error)) return NO_DATABASE;
    throw error;
  }
};

/** A file's version, read without touching it; 0 if it's missing, unreadable or no database. */
export const fileVersion = (file: string): number => fileMark(file).version;

/** Checks for a file of another version without touching it. */
export const findOtherVersion = (file: string, steps: readonly string[]): OtherVersionError | null =>
  otherVersion(file, fileMark(file), steps.length);

/** @throws OtherVersionError */
export const refuseOtherVersion = (file: string, steps: readonly string[]): void => {
  const other = findOtherVersion(file, steps);
  if (other) throw other;
};
