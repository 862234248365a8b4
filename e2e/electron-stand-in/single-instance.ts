import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/** The instance lock of a folder. */
export interface InstanceLock {
  release(): void;
}

interface Knock {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly additionalData: unknown;
}

const lockName = "stand-in.lock";
const knockName = /^stand-in\.knock\.\d+$/;

/**
 * Locks `folder` for this process, or notifies the owner and returns null. `onKnock` receives the data of every later
 * instance. A dead process's lock is ignored.
 */
export function takeInstanceLock(
  folder: string,
  additionalData: unknown,
  onKnock: (knock: Knock) => void,
): InstanceLock | null {
  mkdirSync(folder, { recursive: true });
  const lock = path.join(folder, lockName);
  // Created by a link, so that other processes never find it empty.
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    while (!tryLink(mine, lock)) {
      if (isAlive(Number(readFileSync(lock, "utf8")))) {
        knock(folder, additionalData);
        return null;
      }
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(mine);
  }
  const watcher = watch(folder, () => hearKnocks(folder, onKnock));
  return {
    release() {
      watcher.close();
      rmSync(lock, { force: true });
    },
  };
}

function tryLink(existing: string, created: string): boolean {
  try {
    linkSync(existing, created);
    return true;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function knock(folder: string, additionalData: unknown): void {
  const content: Knock = { argv: process.argv, cwd: process.cwd(), additionalData };
  const file = path.join(folder, `stand-in.knock.${process.pid}`);
  writeFileSync(`${file}.new`, JSON.stringify(content));
  renameSync(`${file}.new`, file);
}

function hearKnocks(folder: string, onKnock: (knock: Knock) => void): void {
  // Deleting the folder, as a test does at its end, is reported here too.
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((file) => knockName.test(file))) {
    const file = path.join(folder, name);
    const received: Knock = JSON.parse(readFileSync(file, "utf8"));
    rmSync(file);
    onKnock(received);
  }
}
