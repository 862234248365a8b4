import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { OtherVersionError } from "../storage/migrate.ts";
import { FolderInUseError, ServiceDatabase } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { ReadyLine } from "./ready-line.ts";
import { StartError } from "./start-error.ts";

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** The ready line of the service that has a data folder, or null; one whose process is gone does not count. */
export const readReadyFile = (file: string): ReadyLine | null => {
  try {
    const ready = JSON.parse(fs.readFileSync(file, "utf8")) as ReadyLine;
    return alive(ready.pid) ? ready : null;
  } catch {
    return null;
  }
};

/** Writes the ready line so that a reader sees all of it or nothing; only its owner may read it, it holds the token. */
export const writeReadyFile = (file: string, ready: ReadyLine): void => {
  const unfinished = `${file}.${process.pid}.new`;
  fs.writeFileSync(unfinished, `${JSON.stringify(ready)}\n`, { mode: 0o600 });
  fs.renameSync(unfinished, file);
};

export const removeReadyFile = (file: string, pid: number): void => {
  if (readReadyFile(file)?.pid === pid) fs.rmSync(file, { force: true });
};

/** The ready file inside a data folder. */
export const readyFileOf = (folder: string): string => path.join(folder, "service.json");

/** A data folder that this process has, alone. */
export interface DataFolder {
  readonly folder: string;
  readonly database: ServiceDatabase;
  readonly controlToken: string;
  /** Signs upload addresses. */
  readonly uploadKey: string;
  /** Nothing of it is kept. */
  readonly temporary: boolean;
  close(): void;
}

const problemOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

const FULL = /^(SQLITE_FULL|ENOSPC|EDQUOT)$/;
/** With less than this nothing begins: SQLite, for one, calls it an I/O error when there is no room for its index. */
const LEAST_ROOM_BYTES = 64 * 1024;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize >= LEAST_ROOM_BYTES;
  } catch {
    return true;
  }
};

/** Why a service does not start on a folder, in a sentence that says what to do. */
export const unusable = (folder: string, thrown: unknown): StartError => {
  const error = thrown instanceof NotDurableError ? thrown.cause : thrown;
  const problem = error instanceof Error ? error.message : String(error);
  return new StartError(
    "folder_unusable",
    FULL.test(problemOf(error)) || (isDiskFailure(error) && !hasRoom(folder))
      ? `The data folder ${folder} cannot be used: its disk is full. Free some space, or choose another folder with --data.`
      : `The data folder ${folder} cannot be used (${problem}). Choose another one with --data, or check its disk and permissions.`,
  );
};

/** Step by step: Node's own recursive making never ends where a file system refuses new folders but does not say why. */
const makeFolder = (folder: string): void => {
  if (fs.existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Two that start at once may both find it missing.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
};

const prepareFolder = (folder: string): void => {
  try {
    makeFolder(folder);
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    if (!fs.statSync(folder).isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  } catch (error) {
    throw new StartError(
      "folder_unusable",
      `The data folder ${folder} cannot be used (${problemOf(error)}). Choose another one with --data, or make it a folder you may write to.`,
    );
  }
};

const openDatabase = (folder: string): ServiceDatabase => {
  try {
    return new ServiceDatabase(path.join(folder, "service.sqlite"));
  } catch (error) {
    if (error instanceof FolderInUseError) {
      const other = readReadyFile(readyFileOf(folder));
      const who = other ? `the service at ${other.base_url} (process ${other.pid})` : "another process";
      throw new StartError(
        "folder_in_use",
        `The data folder ${folder} is in use by ${who}. Use that one, stop it, or choose another folder with --data.`,
      );
    }
    if (error instanceof OtherVersionError) {
      throw new StartError(
        "other_version",
        error.age === "newer"
          ? `The data folder ${folder} was written by a newer version of Integrations Explorer. Update Integrations Explorer, or choose another folder with --data.`
          : `The data folder ${folder} was made by an earlier build of Integrations Explorer, which this one does not read. Choose another folder with --data, or move this one away.`,
      );
    }
    throw unusable(folder, error);
  }
};

/** What a folder is given once and keeps. */
const keptIn = (database: ServiceDatabase, name: string): string => {
  const known = database.setting(name);
  if (known !== undefined) return known;
  const value = randomBytes(32).toString("base64url");
  database.setSetting(name, value);
  return value;
};

const temporaryFolder = (): string => {
  try {
    return fs.mkdtempSync(path.join(os.tmpdir(), "integrations-sandbox-"));
  } catch (error) {
    throw unusable(os.tmpdir(), error);
  }
};

/** Takes a data folder, or a temporary one when `folder` is null. @throws StartError */
export const openDataFolder = (folder: string | null): DataFolder => {
  const temporary = folder === null;
  const own = folder === null ? temporaryFolder() : path.resolve(folder);
  prepareFolder(own);
  const database = openDatabase(own);
  const close = (): void => {
    database.close();
    if (temporary) fs.rmSync(own, { recursive: true, force: true });
  };
  try {
    const [controlToken, uploadKey] = [keptIn(database, "control_token"), keptIn(database, "upload_key")];
    return { folder: own, database, controlToken, uploadKey, temporary, close };
  } catch (error) {
    close();
    throw unusable(own, error);
  }
};
