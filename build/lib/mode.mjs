import { Sentence } from "./main.mjs";

/**
 * What decides between the desktop app and browser mode.
 *
 * @typedef {object} Situation
 * @property {string | undefined} wanted INTEGRATIONS_EXPLORER_MODE
 * @property {NodeJS.Platform} platform
 * @property {boolean} display whether there is a screen to open a window on
 * @property {boolean} root whether this is the system's administrator
 * @property {boolean} runtime whether the Electron runtime is there
 * @property {string | null} noFetch why the runtime may not be fetched, or null
 * @property {boolean} triedToday whether fetching the runtime came to nothing within the last day
 */

/**
 * @typedef {object} Decision
 * @property {"desktop" | "browser" | "fetch"} mode `fetch`: try to get the runtime first
 * @property {string | null} because one sentence to tell, when it is not what a person would expect
 * @property {boolean} [withoutChromiumSandbox] only ever on a person's explicit wish
 */

const FORCE = "INTEGRATIONS_EXPLORER_MODE=desktop";

/**
 * @param {Situation} situation
 * @returns {Decision}
 */
export function decideMode(situation) {
  const { wanted, display, runtime, noFetch, triedToday } = situation;
  if (wanted === "browser") return { mode: "browser", because: null };
  if (wanted === "desktop") return decideForcedDesktop(situation);
  if (wanted) throw new Sentence(`INTEGRATIONS_EXPLORER_MODE is "${wanted}", but can only be "desktop" or "browser".`);
  if (!display) return inBrowser("There is no display for a window");
  if (isRootOnLinux(situation)) {
    return inBrowser(
      `As root, Chromium runs only without its sandbox, which the desktop app relies on (${FORCE} insists)`,
    );
  }
  if (runtime) return { mode: "desktop", because: null };
  if (noFetch !== null) return inBrowser(`The Electron runtime is not installed, and ${noFetch}`);
  if (triedToday) {
    return inBrowser("The Electron runtime could not be fetched earlier today (`npx install-electron` tries again)");
  }
  return { mode: "fetch", because: null };
}

/** The decision after a try to fetch the runtime has come to nothing. @param {Situation} situation @returns {Decision} */
export function decideWithoutRuntime({ wanted }) {
  if (wanted === "desktop") {
    throw new Sentence(
      "The Electron runtime could not be fetched, so the desktop app cannot start: run `npx install-electron` to see why, set ELECTRON_MIRROR to a mirror you can reach, or leave INTEGRATIONS_EXPLORER_MODE unset for browser mode.",
    );
  }
  return inBrowser(
    "The Electron runtime could not be fetched (the next try is in a day; `npx install-electron` tries now)",
  );
}

/**
 * @param {Situation} situation
 * @returns {Decision}
 */
function decideForcedDesktop(situation) {
  if (!situation.display) {
    throw new Sentence(
      `${FORCE} needs a display, and there is none: set DISPLAY or WAYLAND_DISPLAY, or leave it unset for browser mode.`,
    );
  }
  if (!situation.runtime) {
    if (situation.noFetch === null) return { mode: "fetch", because: null };
    return decideWithoutRuntime(situation);
  }
  if (!isRootOnLinux(situation)) return { mode: "desktop", because: null };
  return {
    mode: "desktop",
    because: `Running as root, so without Chromium's sandbox, because ${FORCE} insists: use it with this project's own pages only.`,
    withoutChromiumSandbox: true,
  };
}

/** @param {Situation} situation */
function isRootOnLinux({ root, platform }) {
  return root && platform === "linux";
}

/** @param {string} reason @returns {Decision} */
function inBrowser(reason) {
  return { mode: "browser", because: `${reason}: the explorer is served to your browser instead.` };
}

/**
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 */
export function hasDisplay(platform, env) {
  return platform === "win32" || platform === "darwin" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/**
 * Why the runtime may not be fetched, as the end of a sentence, or null.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function fetchForbidden(env) {
  if (env.ELECTRON_OVERRIDE_DIST_PATH) return "ELECTRON_OVERRIDE_DIST_PATH names a folder without its executable";
  return env.ELECTRON_SKIP_BINARY_DOWNLOAD ? "ELECTRON_SKIP_BINARY_DOWNLOAD is set" : null;
}
