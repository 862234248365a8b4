import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { COMMAND } from "../contract/package-name.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { OtherVersionError } from "../storage/migrate.ts";
import { FolderInUseError, ServiceDatabase } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { ReadyLine } from "./ready-line.ts";
import { StartError } from "./start-error.ts";

/**
 * Where everything is kept when nothing is said: the platform's folder for application data. The same for the desktop
 * app, browser mode and the command, so that all three show the same worlds.
 */
export const defaultDataFolder = (
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string => {
  const name = "Integrations Explorer";
  if (platform === "win32") return path.join(env.APPDATA ?? path.join(home, "AppData", "Roaming"), name, "data");
  if (platform === "darwin") return path.join(home, "Library", "Application Support", name, "data");
  return path.join(env.XDG_DATA_HOME || path.join(home, ".local", "share"), "integrations-explorer");
};

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

const SERVICE_FILE = "service.sqlite";

/** The ready file inside a data folder. */
export const readyFilePath = (folder: string): string => path.join(folder, "service.json");

/**
 * The secrets of a service, by their names in the settings. They are replaced together: whoever knows the one that signs
 * upload addresses, evidence and the tokens of people makes an operator's sign-in of it.
 */
export type ServiceKeys = Record<"control_token" | "upload_key", string>;

export const newKeys = (): ServiceKeys => ({ control_token: newSecret(), upload_key: newSecret() });

const newSecret = (): string => randomBytes(32).toString("base64url");

/** A data folder that this process has, alone. */
export interface DataFolder {
  readonly folder: string;
  readonly database: ServiceDatabase;
  /** They change while the service runs where another machine may replace them. */
  readonly keys: ServiceKeys;
  /** Nothing of it is kept. */
  readonly temporary: boolean;
  /** What its owner should know; null: nothing. */
  readonly warning: string | null;
  /** Other keys are good from the next start on. @returns those */
  rotateKeys(): ServiceKeys;
  close(): void;
}

const problemOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

const FULL = /^(SQLITE_FULL|ENOSPC|EDQUOT)$/;
/** With less than this nothing begins: SQLite, for one, calls it an I/O error when there is no room for its index. */
const LEAST_ROOM_BYTES = 64 * 1024;

/** Whether a folder's disk takes so many bytes more. */
export const hasRoom = (folder: string, bytes = LEAST_ROOM_BYTES): boolean => {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize >= bytes;
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
    return new ServiceDatabase(path.join(folder, SERVICE_FILE));
  } catch (error) {
    if (error instanceof FolderInUseError) {
      const other = readReadyFile(readyFilePath(folder));
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

/** What is the service's own in a data folder. */
const OWN_FILES = new Set([
  ...[SERVICE_FILE, "service.sqlite-wal", "service.sqlite-shm", "service.json", "service.log"],
  ...["service.earlier.log", "worlds", "media", "snapshots", "scenarios", "work", "open.html"],
]);
/** New worlds are copies of it, keys and all. */
const TEMPLATE = /^template-.+\.sqlite/;
const isOwn = (name: string): boolean => OWN_FILES.has(name) || TEMPLATE.test(name);

/** The rights of everybody but the owner. */
const OTHERS = 0o077;

/**
 * Takes from others what they may do with the service's own files, and with a folder that holds nothing else: worlds hold
 * keys, and the service's file the control token.
 *
 * @returns what the owner should know; null: others could do nothing
 */
const closeToOthers = (folder: string): string | null => {
  // Windows keeps rights of another kind; the folders of a user are closed there as they are.
  if (process.platform === "win32" || (fs.statSync(folder).mode & OTHERS) === 0) return null;
  const names = fs.readdirSync(folder);
  const own = names.filter(isOwn).map((name) => path.join(folder, name));
  const files = own.length === names.length ? [folder, ...own] : own;
  const open = files.filter((file) => (fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS);
  try {
    for (const file of open) fs.chmodSync(file, fs.statSync(file).mode & 0o700);
  } catch (error) {
    return `Other users of this machine can read the data folder ${folder} (${problemOf(error)}): change its permissions, or choose another folder with --data.`;
  }
  return open.length === 0 || own.length === 0
    ? null
    : `Other users of this machine could read the data folder ${folder}. Only you can now; if that worries you, stop the service and run \`${COMMAND} token rotate\`.`;
};

/** Has a folder keep them. */
const keepIn = (database: ServiceDatabase, keys: ServiceKeys): ServiceKeys => {
  for (const [name, value] of Object.entries(keys)) database.setSetting(name, value);
  return keys;
};

/** A temporary folder is named after its process. */
const TEMPORARY = /^integrations-sandbox-(\d+)-/;

/** Deletes the temporary data of services that were killed. No start waits until it is deleted. */
const deleteAbandoned = (temporary: string): void => {
  for (const name of fs.readdirSync(temporary)) {
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid === undefined || alive(Number(pid))) continue;
    const folder = path.join(temporary, name);
    if (isAbandoned(folder)) fs.rm(folder, { recursive: true, force: true }, () => {});
  }
};

/** A process of another container may have the folder: it is alive, and not to be seen from here. */
const isAbandoned = (folder: string): boolean => {
  try {
    if (fs.statSync(folder).uid !== (process.getuid?.() ?? 0)) return false;
    openDatabase(folder).close();
    return true;
  } catch {
    return false;
  }
};

const temporaryFolder = (): string => {
  // Each look-up of its path takes some 20 µs, and it may have thousands of entries.
  const temporary = os.tmpdir();
  try {
    deleteAbandoned(temporary);
    return fs.mkdtempSync(path.join(temporary, `integrations-sandbox-${process.pid}-`));
  } catch (error) {
    throw unusable(temporary, error);
  }
};

/**
 * Takes a data folder, or a temporary one when `folder` is null.
 *
 * @param given its keys, where they are kept elsewhere @throws StartError
 */
export const openDataFolder = (folder: string | null, given?: ServiceKeys): DataFolder => {
  const temporary = folder === null;
  const own = folder === null ? temporaryFolder() : path.resolve(folder);
  prepareFolder(own);
  const warning = closeToOthers(own);
  const database = openDatabase(own);
  const close = (): void => {
    database.close();
    if (temporary) fs.rmSync(own, { recursive: true, force: true });
  };
  try {
    const [control_token, upload_key] = [database.setting("control_token"), database.setting("upload_key")];
    const kept = control_token && upload_key ? { control_token, upload_key } : null;
    const keys = given ?? kept ?? keepIn(database, newKeys());
    const rotateKeys = (): ServiceKeys => keepIn(database, newKeys());
    return { folder: own, database, keys, temporary, warning, rotateKeys, close };
  } catch (error) {
    close();
    throw unusable(own, error);
  }
};

/** Gives the service of a data folder other keys, good from its next start on. @throws StartError where it runs */
export const rotateKeys = (folder: string): ServiceKeys => {
  if (!fs.existsSync(path.join(folder, SERVICE_FILE)))
    throw new StartError("folder_unusable", `${folder} is no data folder of a service. Name one with --data.`);
  const data = openDataFolder(folder);
  try {
    return data.rotateKeys();
  } finally {
    data.close();
  }
};
