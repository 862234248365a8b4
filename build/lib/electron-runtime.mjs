import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "./children.mjs";
import { cacheFolder, projectEnv, projectNode, readJson } from "./project.mjs";
import { seconds } from "./voice.mjs";

const TIME_LIMIT_MS = 90_000;
const PROGRESS_MS = 5_000;
const REMEMBERED_MS = 24 * 60 * 60_000;

/** Where the executable lies inside a folder with the runtime. */
const EXECUTABLE = { darwin: "Electron.app/Contents/MacOS/Electron", win32: "electron.exe" };

/**
 * The Electron executable, or null where the runtime is not installed. Looks at files alone: to load the `electron`
 * package would start a download that can hang.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} [platform]
 * @returns {string | null}
 */
export function findElectron(root, env, platform = process.platform) {
  const name = EXECUTABLE[/** @type {keyof typeof EXECUTABLE} */ (platform)] ?? "electron";
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return existing(path.join(override, name));
  const installed = path.join(root, "node_modules/electron");
  try {
    return existing(path.join(installed, "dist", readFileSync(path.join(installed, "path.txt"), "utf8").trim()));
  } catch {
    return null;
  }
}

/** @param {string} file */
function existing(file) {
  return existsSync(file) ? file : null;
}

/**
 * A try to install the runtime that came to nothing.
 *
 * @typedef {object} FailedTry
 * @property {string} version of Electron
 * @property {number} at milliseconds since 1970
 */

/**
 * When the runtime was last tried for in vain, if that is too recent to try again.
 *
 * @param {string} root
 * @param {number} now milliseconds since 1970
 * @returns {FailedTry | null}
 */
export function recentFailedTry(root, now) {
  const failed = readJson(memoryFile(root));
  if (typeof failed?.at !== "number" || failed.version !== electronVersion(root)) return null;
  const age = now - failed.at;
  return age >= 0 && age < REMEMBERED_MS ? failed : null;
}

/**
 * Runs Electron's own installer, once and with a time limit, and remembers for a day when it comes to nothing.
 *
 * @param {string} root
 * @param {import("./voice.mjs").Voice} voice
 * @param {number} now milliseconds since 1970
 * @param {number} [timeLimitMs]
 * @returns {Promise<boolean>} whether the runtime is installed now
 */
export async function tryToInstallElectron(root, voice, now, timeLimitMs = TIME_LIMIT_MS) {
  voice.say(`Fetching the Electron runtime (about 110 MB, at most ${seconds(timeLimitMs)}) …`);
  const began = performance.now();
  const progress = setInterval(
    () => voice.say(`  still fetching after ${seconds(performance.now() - began)}`),
    PROGRESS_MS,
  );
  const { code } = await run(projectNode(root), [path.join(root, "node_modules/electron/install.js")], {
    cwd: root,
    env: projectEnv(root),
    timeLimitMs,
  }).finally(() => clearInterval(progress));
  if (code === 0 && findElectron(root, {}) !== null) {
    rmSync(memoryFile(root), { force: true });
    return true;
  }
  mkdirSync(cacheFolder(root), { recursive: true });
  writeFileSync(memoryFile(root), JSON.stringify({ version: electronVersion(root), at: now }));
  return false;
}

/** @param {string} root */
function electronVersion(root) {
  return readJson(path.join(root, "node_modules/electron/package.json"))?.version;
}

/** @param {string} root */
function memoryFile(root) {
  return path.join(cacheFolder(root), "electron-not-fetched.json");
}
