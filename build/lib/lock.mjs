import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;
const BEAT_MS = 2_000;
/** A holder beats every two seconds; one that has not for this long is gone, whatever now has its process id. */
const SILENT_MS = 60_000;
const GUARD_MS = 5_000;

/** The locks this process holds itself. @type {Set<string>} */
const held = new Set();

/**
 * Does `work` while no other process of this checkout does its own under the same lock. A lock whose holder has died
 * is taken over.
 *
 * @template T
 * @param {string} file
 * @param {{ onWait: (pid: number) => void }} options `onWait` is called once, when another process has to be waited for
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, { onWait }, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  let told = false;
  while (!tryCreate(file)) {
    const holder = readHolder(file);
    if (holder !== null && isGone(holder)) {
      takeAway(file);
      continue;
    }
    if (!told && holder?.pid) {
      told = true;
      onWait(holder.pid);
    }
    await sleep(POLL_MS);
  }
  held.add(file);
  const beat = setInterval(() => touch(file), BEAT_MS);
  beat.unref();
  const release = () => {
    held.delete(file);
    rmSync(file, { force: true });
  };
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.removeListener("exit", release);
    release();
  }
}

/**
 * @typedef {object} Holder
 * @property {number | null} pid null in the moment between making the lock and writing into it
 * @property {number} silentMs how long ago it last showed that it lives
 * @property {boolean} own held by this very process
 */

/**
 * @param {Holder} holder
 * @returns {boolean}
 */
export function isGone({ pid, silentMs, own }) {
  if (own) return false;
  if (pid === null) return silentMs > GUARD_MS;
  // A container that starts again often gives the same process id again, to this process even.
  return silentMs > SILENT_MS || pid === process.pid || !isAlive(pid);
}

/**
 * @param {number} pid
 * @returns {boolean}
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} file */
function tryCreate(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * @param {string} file
 * @returns {Holder | null} null when the lock has just gone
 */
function readHolder(file) {
  try {
    const silentMs = Date.now() - statSync(file).mtimeMs;
    return { pid: Number(readFileSync(file, "utf8")) || null, silentMs, own: held.has(file) };
  } catch {
    return null;
  }
}

/**
 * Removes a dead holder's lock. Two that wait may both have seen it dead; a guard lets only one remove it, after it
 * has looked again, so that nobody removes the other's new lock.
 *
 * @param {string} file
 */
function takeAway(file) {
  const guard = `${file}.taking-over`;
  if (!tryCreate(guard)) {
    const left = readHolder(guard);
    if (left !== null && left.silentMs > GUARD_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    const holder = readHolder(file);
    if (holder !== null && isGone(holder)) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** @param {string} file */
function touch(file) {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // Someone removed `out/`; the work is not affected.
  }
}
