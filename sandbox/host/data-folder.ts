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
 * Default data folder: the platform's folder for application data. Desktop app, browser mode and command share it, so
 * all three show the same worlds.
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

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Ready line of the service that uses a data folder; null if its process has ended. */
export const readReadyFile = (file: string): ReadyLine | null => {
  try {
    const ready = JSON.parse(fs.readFileSync(file, "utf8")) as ReadyLine;
    return isAlive(ready.pid) ? ready : null;
  } catch {
    return null;
  }
};

/** Writes the ready line atomically. Readable by the owner only, because it contains the token. */
export const writeReadyFile = (file: string, ready: ReadyLine): void => {
  const temporaryFile = `${file}.${process.pid}.new`;
  fs.writeFileSync(temporaryFile, `${JSON.stringify(ready)}\n`, { mode: 0o600 });
  fs.renameSync(temporaryFile, file);
};

export const removeReadyFile = (file: string, pid: number): void => {
  if (readReadyFile(file)?.pid === pid) fs.rmSync(file, { force: true });
};

const SERVICE_FILE = "service.sqlite";

export const readyFilePath = (folder: string): string => path.join(folder, "service.json");

/**
 * Secrets of a service, by setting name. They are replaced together: the upload key also signs evidence and people's
 * tokens, so it could forge an operator's sign-in.
 */
export type ServiceKeys = Record<"control_token" | "upload_key", string>;

export const newKeys = (): ServiceKeys => ({ control_token: newSecret(), upload_key: newSecret() });

const newSecret = (): string => randomBytes(32).toString("base64url");

/** A data folder locked by this process. */
export interface DataFolder {
  readonly folder: string;
  readonly database: ServiceDatabase;
  /** May change at runtime if another node replaces them. */
  readonly keys: ServiceKeys;
  /** True if the folder is deleted on close. */
  readonly temporary: boolean;
  /** Warning for the owner, or null. */
  readonly warning: string | null;
  /** Replaces the keys from the next start on. @returns the new keys */
  rotateKeys(): ServiceKeys;
  close(): void;
}

const describeProblem = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

const FULL = /^(SQLITE_FULL|ENOSPC|EDQUOT)$/;
/** Minimum free space for a start. With less, SQLite reports a misleading I/O error. */
const MIN_FREE_BYTES = 64 * 1024;

/** Checks whether a folder's disk has this much free space. */
export const hasFreeSpace = (folder: string, bytes = MIN_FREE_BYTES): boolean => {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize >= bytes;
  } catch {
    return true;
  }
};

/** Error for an unusable folder, with a remedy. */
export const createUnusableError = (folder: string, thrown: unknown): StartError => {
  const error = thrown instanceof NotDurableError ? thrown.cause : thrown;
  const problem = error instanceof Error ? error.message : String(error);
  return new StartError(
    "folder_unusable",
    FULL.test(describeProblem(error)) || (isDiskFailure(error) && !hasFreeSpace(folder))
      ? `The data folder ${folder} cannot be used: its disk is full. Free some space, or choose another folder with --data.`
      : `The data folder ${folder} cannot be used (${problem}). Choose another one with --data, or check its disk and permissions.`,
  );
};

/**
 * Creates folders one by one: Node's recursive mkdir loops forever on file systems that refuse new folders without a
 * reason.
 */
const makeFolder = (folder: string): void => {
  if (fs.existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // A concurrent start may have created it.
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
      `The data folder ${folder} cannot be used (${describeProblem(error)}). Choose another one with --data, or make it a folder you may write to.`,
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
    throw createUnusableError(folder, error);
  }
};

/** The service's own files in a data folder. */
const OWN_FILES = new Set([
  ...[SERVICE_FILE, "service.sqlite-wal", "service.sqlite-shm", "service.json", "service.log"],
  ...["service.earlier.log", "worlds", "media", "snapshots", "scenarios", "unfinished", "open.html"],
]);
/** Source of new worlds, including keys. */
const TEMPLATE = /^template-.+\.sqlite/;
const isOwn = (name: string): boolean => OWN_FILES.has(name) || TEMPLATE.test(name);

/** Permissions of group and others. */
const OTHERS_MODE = 0o077;

/**
 * Removes others' permissions on the service's own files, and on the folder if it holds nothing else, because they
 * contain keys and the control token.
 *
 * @returns a warning for the owner; null if others had no access
 */
const closeToOthers = (folder: string): string | null => {
  // Windows uses other permissions; user folders are private there by default.
  if (process.platform === "win32" || (fs.statSync(folder).mode & OTHERS_MODE) === 0) return null;
  const names = fs.readdirSync(folder);
  const own = names.filter(isOwn).map((name) => path.join(folder, name));
  const files = own.length === names.length ? [folder, ...own] : own;
  const open = files.filter((file) => (fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_MODE);
  try {
    for (const file of open) fs.chmodSync(file, fs.statSync(file).mode & 0o700);
  } catch (error) {
    return `Other users of this machine can read the data folder ${folder} (${describeProblem(error)}): change its permissions, or choose another folder with --data.`;
  }
  return open.length === 0 || own.length === 0
    ? null
    : `Other users of this machine could read the data folder ${folder}. Only you can now; if that worries you, stop the service and run \`${COMMAND} token rotate\`.`;
};

/** Stores the keys in the folder. */
const storeKeys = (database: ServiceDatabase, keys: ServiceKeys): ServiceKeys => {
  for (const [name, value] of Object.entries(keys)) database.setSetting(name, value);
  return keys;
};

/** Temporary folders are named after their process. */
const TEMPORARY = /^integrations-sandbox-(\d+)-/;

/** Deletes temporary data of killed services, in the background. */
const deleteAbandoned = (temporary: string): void => {
  for (const name of fs.readdirSync(temporary)) {
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(temporary, name);
    if (isAbandoned(folder)) fs.rm(folder, { recursive: true, force: true }, () => {});
  }
};

/** A process in another container may use the folder without being visible here. */
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
  // Resolved once: each lookup of the path takes some 20 µs, and the folder may have thousands of entries.
  const temporary = os.tmpdir();
  try {
    deleteAbandoned(temporary);
    return fs.mkdtempSync(path.join(temporary, `integrations-sandbox-${process.pid}-`));
  } catch (error) {
    throw createUnusableError(temporary, error);
  }
};

/**
 * Opens a data folder, or a temporary one if `folder` is null.
 *
 * @param given its keys if they are stored elsewhere @throws StartError
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
    const storedKeys = control_token && upload_key ? { control_token, upload_key } : null;
    const keys = given ?? storedKeys ?? storeKeys(database, newKeys());
    const rotateKeys = (): ServiceKeys => storeKeys(database, newKeys());
    return { folder: own, database, keys, temporary, warning, rotateKeys, close };
  } catch (error) {
    close();
    throw createUnusableError(own, error);
  }
};

/** Replaces the keys of a data folder from its next start on. @throws StartError while a service uses it */
export const rotateKeys = (folder: string): ServiceKeys => {
  if (!fs.existsSync(path.join(folder, SERVICE_FILE)))
    throw new StartError("folder_unusable", `${folder} isn’t the data folder of a sandbox. Choose one with --data.`);
  const data = openDataFolder(folder);
  try {
    return data.rotateKeys();
  } finally {
    data.close();
  }
};
