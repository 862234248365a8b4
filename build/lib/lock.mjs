import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Sentence } from "./command.mjs";

const POLL_MS = 100;

/**
 * Runs `work` while no other process of this checkout installs or builds. The lock contains its holder's process ID; a
 * dead holder's lock is taken over.
 *
 * @template T
 * @param {string} root
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(root, work) {
  const file = path.join(root, "out/.bootstrap.lock");
  mkdirSync(path.dirname(file), { recursive: true });
  for (let reported = false; !(await acquired(file)); await sleep(POLL_MS)) {
    const holder = readHolder(file);
    // A restarted container often assigns the same process IDs, even this process's own.
    if (holder === process.pid || (holder !== null && !isAlive(holder))) rmSync(file, { force: true });
    else if (holder !== null && !reported) {
      console.error(`Waiting for process ${holder}, which installs or builds here; if it does not, remove ${file} …`);
      reported = true;
    }
  }
  const release = () => rmSync(file, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.removeListener("exit", release);
    release();
  }
}

/**
 * Two waiting processes may both find the holder dead, and the slower one then removes the other's new lock. Each new
 * holder therefore checks again.
 *
 * @param {string} file
 */
async function acquired(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: "wx" });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EEXIST") return false;
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw error;
    throw new Sentence(
      `This clone has changed since it was built, and you can't write to it (${code}). Run \`npm run build\` as its owner.`,
    );
  }
  await sleep(POLL_MS);
  return readHolder(file) === process.pid;
}

/** @param {string} file @returns {number | null} null when the lock has just been released, or is just being made */
function readHolder(file) {
  try {
    return Number(readFileSync(file, "utf8")) || null;
  } catch {
    return null;
  }
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
