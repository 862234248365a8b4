import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { run } from "./children.mjs";
import { Sentence } from "./main.mjs";

const NAMES = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser"];

const PLACES = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) =>
    path.join(process.env[name] ?? "C:\\", "Google\\Chrome\\Application\\chrome.exe"),
  ),
};

/**
 * The Chromium to run end-to-end tests in: the one INTEGRATIONS_EXPLORER_CHROMIUM names, else Playwright's own, else
 * the system's Chrome or Chromium.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | null}
 */
export function findChromium(env = process.env) {
  const named = env.INTEGRATIONS_EXPLORER_CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new Sentence(`INTEGRATIONS_EXPLORER_CHROMIUM names ${named}, which does not exist.`);
  }
  return [playwrightsOwn(), ...systemPlaces(env)].find((file) => file !== null && isExecutable(file)) ?? null;
}

/** @param {NodeJS.ProcessEnv} env */
function systemPlaces(env) {
  const known = PLACES[/** @type {keyof typeof PLACES} */ (process.platform)];
  if (known) return known;
  const folders = (env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

/** @returns {string | null} */
function playwrightsOwn() {
  try {
    return createRequire(import.meta.url)("playwright-core").chromium.executablePath();
  } catch {
    return null;
  }
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds a Chromium, or installs the distribution's own where that can be done without asking: as root on Debian.
 *
 * @param {string} root
 * @param {import("./voice.mjs").Voice} voice
 * @returns {Promise<string>}
 */
export async function ensureChromium(root, voice) {
  const found = findChromium();
  if (found !== null) return found;
  if (mayInstallFromDebian()) {
    await voice.step("Installing Chromium from Debian (apt-get install chromium)", () => installFromDebian(root));
    const installed = findChromium();
    if (installed !== null) return installed;
  }
  throw new Sentence(
    "The end-to-end tests need a Chromium and found none: run `npx playwright install --with-deps chromium`, or install Chrome or Chromium, then run the command again.",
  );
}

function mayInstallFromDebian() {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    return /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8")) && existsSync("/usr/bin/apt-get");
  } catch {
    return false;
  }
}

/** @param {string} root */
async function installFromDebian(root) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // The fonts are for what the explorer's own do not cover.
  const install = ["install", "-y", "--no-install-recommends", "chromium", "fonts-liberation"];
  for (const args of [["update"], install]) {
    const { code, output } = await run("apt-get", ["-qq", ...args], { cwd: root, env, timeLimitMs: 10 * 60_000 });
    if (code === 0) continue;
    throw new Sentence(
      `${output.trimEnd()}\nThe end-to-end tests need a Chromium and \`apt-get ${args[0]}\` failed: install Chrome or Chromium, then run the command again.`,
    );
  }
}
