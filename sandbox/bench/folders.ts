import fs from "node:fs";
import path from "node:path";

const CHECKOUT = path.join(import.meta.dirname, "..", "..");
const RUN = /^run-(\d+)-/;

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export const removeFolder = (folder: string): void =>
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** A folder of this run, below a parent in which those of runs that were cut short are cleared away. */
const runFolder = (parent: string): string => {
  fs.mkdirSync(parent, { recursive: true });
  for (const name of fs.readdirSync(parent)) {
    const pid = RUN.exec(name)?.[1];
    if (pid !== undefined && !alive(Number(pid))) removeFolder(path.join(parent, name));
  }
  return fs.mkdtempSync(path.join(parent, `run-${process.pid}-`));
};

/** Where a run keeps its things; `remove` takes it all away. */
export interface RunFolders {
  readonly data: string;
  /** The built service's entry. */
  readonly service: string;
  remove(): void;
}

/**
 * Makes the folders of a run. The service is a copy, so that whoever builds meanwhile does not change what is measured;
 * it lies where the packages are found.
 *
 * @param wanted where data folders go; null: below the checkout's `out`
 * @param explorer whether the service has the explorer beside it
 */
export const makeRunFolders = (wanted: string | null, explorer: boolean): RunFolders => {
  const out = path.join(CHECKOUT, "out");
  const own = runFolder(path.join(out, "bench"));
  const data = wanted === null ? path.join(own, "data") : runFolder(path.resolve(wanted));
  fs.cpSync(path.join(out, "sandbox"), path.join(own, "sandbox"), { recursive: true });
  if (explorer) fs.cpSync(path.join(out, "renderer"), path.join(own, "renderer"), { recursive: true });
  fs.mkdirSync(data, { recursive: true });
  return {
    data,
    service: path.join(own, "sandbox", "cli.js"),
    remove: () => {
      removeFolder(data);
      removeFolder(own);
    },
  };
};
