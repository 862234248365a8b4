import fs from "node:fs";
import path from "node:path";

export const CHECKOUT = path.join(import.meta.dirname, "..", "..");

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Folders of a run. */
interface RunFolders {
  readonly data: string;
  /** The built service's entry. */
  readonly service: string;
  remove(): void;
}

/**
 * Creates the folder of a run in `out/bench` and removes those of aborted runs. Contains a copy of the service, so that
 * a build during the run doesn't change the measurements.
 */
export const makeRunFolders = (explorer = false): RunFolders => {
  const out = path.join(CHECKOUT, "out");
  const parent = path.join(out, "bench");
  fs.mkdirSync(parent, { recursive: true });
  for (const name of fs.readdirSync(parent)) {
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) fs.rmSync(path.join(parent, name), { recursive: true });
  }
  const own = fs.mkdtempSync(path.join(parent, `run-${process.pid}-`));
  for (const part of explorer ? ["sandbox", "renderer"] : ["sandbox"]) {
    fs.cpSync(path.join(out, part), path.join(own, part), { recursive: true });
  }
  fs.mkdirSync(path.join(own, "data"));
  return {
    data: path.join(own, "data"),
    service: path.join(own, "sandbox", "cli.js"),
    remove: () => fs.rmSync(own, { recursive: true, force: true, maxRetries: 5 }),
  };
};
