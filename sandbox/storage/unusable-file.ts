import Sqlite from "better-sqlite3";
import { NewerDataError } from "./database.ts";

/** Whether a file cannot be opened at all: it is damaged, no database, or of a newer version. */
export const isUnusable = (error: unknown): boolean =>
  error instanceof NewerDataError ||
  (error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT|CANTOPEN)/.test(error.code));

/** What to say, and what to do about it, when a world's file cannot be opened. */
export const unusableWords = (error: Error): string =>
  error instanceof NewerDataError
    ? error.message
    : `The world's file cannot be read (${error.message}). Nothing was changed: delete or replace its file in the folder worlds of the data folder, or use another world.`;
