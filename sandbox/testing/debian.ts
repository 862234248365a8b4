import fs from "node:fs";
import path from "node:path";

/** Folders of programs, including those that only root has on its path. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"];
/** Debian's folder of PostgreSQL's versions. */
const POSTGRES = "/usr/lib/postgresql";

/** Null when not installed. `npm test` installs programs where that needs no confirmation. */
export const findProgram = (program: string): string | null =>
  FOLDERS.map((folder) => path.join(folder, program)).find((file) => fs.existsSync(file)) ?? null;

/** Returns the folder with `initdb` and `postgres`. */
export const findPostgres = (): string | null => {
  const versions = fs.existsSync(POSTGRES) ? fs.readdirSync(POSTGRES) : [];
  const folders = versions.map((version) => path.join(POSTGRES, version, "bin"));
  const found = folders.findLast((folder) => fs.existsSync(path.join(folder, "initdb")));
  const initdb = findProgram("initdb");
  return found ?? (initdb && path.dirname(initdb));
};

/** Debian's folders of the `faketime` library, one per architecture. */
const LIBRARIES = "/usr/lib";

/**
 * Returns the environment of a process with a shifted clock and normal timers; null when the library is not installed.
 */
export const fakedTime = (): NodeJS.ProcessEnv | null => {
  const folders = fs.existsSync(LIBRARIES) ? fs.readdirSync(LIBRARIES) : [];
  const files = folders.map((folder) => path.join(LIBRARIES, folder, "faketime", "libfaketime.so.1"));
  const library = files.find((file) => fs.existsSync(file));
  return library ? { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: "1" } : null;
};

/** The reason for skipping a test. */
export const missingProgram = (name: string): string =>
  `${name} is not here; npm test installs it only as root on Debian`;
