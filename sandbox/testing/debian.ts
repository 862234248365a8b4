import fs from "node:fs";
import path from "node:path";

/** Where programs lie, also those that only root has on its path. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"];
/** Where Debian puts the programs of each version of PostgreSQL. */
const POSTGRES = "/usr/lib/postgresql";

/** Null: it is not here. `npm test` installs what tests need where that can be done without asking. */
export const findProgram = (program: string): string | null =>
  FOLDERS.map((folder) => path.join(folder, program)).find((file) => fs.existsSync(file)) ?? null;

/** The folder with `initdb` and `postgres`. */
export const findPostgres = (): string | null => {
  const versions = fs.existsSync(POSTGRES) ? fs.readdirSync(POSTGRES) : [];
  const folders = versions.map((version) => path.join(POSTGRES, version, "bin"));
  const found = folders.findLast((folder) => fs.existsSync(path.join(folder, "initdb")));
  const initdb = findProgram("initdb");
  return found ?? (initdb && path.dirname(initdb));
};

/** Where Debian puts the library of `faketime`, for each kind of machine. */
const LIBRARIES = "/usr/lib";

/** What a program is started with for its clock to be another, and its timers as they are; null: the library is not here. */
export const fakedTime = (): NodeJS.ProcessEnv | null => {
  const folders = fs.existsSync(LIBRARIES) ? fs.readdirSync(LIBRARIES) : [];
  const files = folders.map((folder) => path.join(LIBRARIES, folder, "faketime", "libfaketime.so.1"));
  const library = files.find((file) => fs.existsSync(file));
  return library ? { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: "1" } : null;
};

/** Why a test that needs a program does not run. */
export const notHere = (name: string): string => `${name} is not here; npm test installs it only as root on Debian`;
