import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, Sentence } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { projectNode, ROOT, readJson } from "./project.mjs";

const TIME_LIMIT_MS = 90_000;
const REMEMBERED_MS = 24 * 60 * 60_000;
const FORCE = "INTEGRATIONS_EXPLORER_MODE=desktop";

/** Path of the executable in the runtime's folder. */
const EXECUTABLE = { darwin: "Electron.app/Contents/MacOS/Electron", win32: "electron.exe" };

/**
 * Inputs of the choice between the desktop app and the browser.
 *
 * @typedef {object} Situation
 * @property {NodeJS.ProcessEnv} env
 * @property {NodeJS.Platform} platform
 * @property {boolean} root whether the user is the system's administrator
 * @property {boolean} runtime whether the Electron runtime is installed
 * @property {boolean} failed whether its download failed, now or within the last day
 *
 * @typedef {object} Decision
 * @property {"desktop" | "browser" | "fetch"} mode `fetch`: download the runtime first
 * @property {string | null} because a sentence to show, when the mode may surprise
 * @property {boolean} [withoutChromiumSandbox] only on explicit request
 */

/** Chooses the desktop app or the browser, and downloads the runtime if permitted. @returns {Promise<Decision>} */
export async function chooseMode() {
  const { env, platform } = process;
  const root = process.getuid?.() === 0;
  const now = () => ({ env, platform, root, runtime: findElectron(ROOT, env) !== null });
  const decision = decideMode({ ...now(), failed: failedToday(ROOT) });
  if (decision.mode !== "fetch") return decision;
  await withLock(ROOT, () => fetchElectron(ROOT));
  const situation = now();
  return decideMode({ ...situation, failed: !situation.runtime });
}

/**
 * @param {Situation} situation
 * @returns {Decision}
 */
export function decideMode({ env, platform, root, runtime, failed }) {
  const wanted = env.INTEGRATIONS_EXPLORER_MODE;
  if (wanted && wanted !== "browser" && wanted !== "desktop")
    throw new Sentence(`INTEGRATIONS_EXPLORER_MODE is "${wanted}", but can only be "desktop" or "browser".`);
  if (wanted === "browser") return { mode: "browser", because: null };
  const insists = wanted === "desktop";
  const withoutSandbox = root && platform === "linux";
  const obstacle = findObstacle({ env, platform, runtime, failed });
  if (obstacle !== null) {
    if (insists) throw new Sentence(`${FORCE} cannot be had: ${obstacle}. Leave it unset for browser mode.`);
    return { mode: "browser", because: `${obstacle}: the explorer is served to your browser instead.` };
  }
  if (withoutSandbox && !insists) {
    const because = `As root, Chromium runs only without its sandbox, which the desktop app relies on (${FORCE} insists)`;
    return { mode: "browser", because: `${because}: the explorer is served to your browser instead.` };
  }
  if (!runtime) return { mode: "fetch", because: null };
  if (!withoutSandbox) return { mode: "desktop", because: null };
  return {
    mode: "desktop",
    because: `Running as root, so without Chromium's sandbox, because ${FORCE} insists: use it with this project's own pages only.`,
    withoutChromiumSandbox: true,
  };
}

/**
 * Returns why the desktop app cannot run, as the beginning of a sentence; null if it can.
 *
 * @param {Omit<Situation, "root">} situation
 * @returns {string | null}
 */
function findObstacle({ env, platform, runtime, failed }) {
  if (platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return "There is no display for a window (DISPLAY and WAYLAND_DISPLAY are not set)";
  if (runtime) return null;
  if (env.ELECTRON_OVERRIDE_DIST_PATH)
    return "The Electron runtime is not installed, and ELECTRON_OVERRIDE_DIST_PATH names a folder without its executable";
  if (env.ELECTRON_SKIP_BINARY_DOWNLOAD)
    return "The Electron runtime is not installed, and ELECTRON_SKIP_BINARY_DOWNLOAD is set";
  if (failed)
    return "The Electron runtime could not be fetched (`npx install-electron` fetches it now, `npm start` again in a day; ELECTRON_MIRROR names a mirror)";
  return null;
}

/**
 * Returns the Electron executable, or null when it isn't installed. Only looks for files: loading the `electron`
 * package would start a download that can hang.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} [platform]
 * @returns {string | null}
 */
export function findElectron(root, env, platform = process.platform) {
  const name = EXECUTABLE[/** @type {keyof typeof EXECUTABLE} */ (platform)] ?? "electron";
  const installed = path.join(root, "node_modules/electron");
  const pathFile = path.join(installed, "path.txt");
  let file = path.join(env.ELECTRON_OVERRIDE_DIST_PATH ?? "", name);
  if (!env.ELECTRON_OVERRIDE_DIST_PATH) {
    if (!existsSync(pathFile)) return null;
    file = path.join(installed, "dist", readFileSync(pathFile, "utf8").trim());
  }
  return existsSync(file) ? file : null;
}

/**
 * Returns whether the download of this version failed within the last day.
 *
 * @param {string} root
 */
export function failedToday(root) {
  const file = failureFile(root);
  if (!existsSync(file) || readFileSync(file, "utf8") !== electronVersion(root)) return false;
  // Accepts a wrong clock in either direction.
  return Math.abs(Date.now() - statSync(file).mtimeMs) < REMEMBERED_MS;
}

/**
 * Runs Electron's own installer once, with a time limit, and records a failure.
 *
 * @param {string} root
 * @param {number} [timeLimitMs]
 */
export async function fetchElectron(root, timeLimitMs = TIME_LIMIT_MS) {
  if (findElectron(root, {}) !== null) return;
  console.error(`Fetching the Electron runtime (about 110 MB, at most ${timeLimitMs / 1000} s) …`);
  const installer = path.join(root, "node_modules/electron/install.js");
  await run(projectNode(root), [installer], { cwd: root, output: "stderr", timeLimitMs });
  rmSync(failureFile(root), { force: true });
  if (findElectron(root, {}) !== null) return;
  mkdirSync(path.dirname(failureFile(root)), { recursive: true });
  writeFileSync(failureFile(root), electronVersion(root));
}

/** @param {string} root @returns {string} */
function electronVersion(root) {
  return readJson(path.join(root, "node_modules/electron/package.json"))?.version ?? "";
}

/** @param {string} root */
function failureFile(root) {
  return path.join(root, "node_modules/.cache/integrations-explorer/electron-not-fetched");
}
