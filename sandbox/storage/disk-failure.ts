import Sqlite from "better-sqlite3";

const SQLITE_CODES = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/;
const SYSTEM_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS"]);

/** Checks whether an error came from the disk: full, failing or read-only. */
export const isDiskFailure = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError
    ? SQLITE_CODES.test(error.code)
    : error instanceof Error && "code" in error && SYSTEM_CODES.has(error.code);
