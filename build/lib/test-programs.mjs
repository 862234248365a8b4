import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { run, Sentence } from "./command.mjs";

const CHROMIUM_NAMES = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser"];
const CHROMIUM_PATHS = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) =>
    path.join(process.env[name] ?? "C:\\", "Google\\Chrome\\Application\\chrome.exe"),
  ),
};
/** Chromium without the windows around its pages: tests in it take a third less of the processor. */
const SHELL = "chromium-headless-shell";
// The fonts are for what the explorer's own do not cover.
const CHROMIUM_PACKAGES = ["chromium", SHELL, "fonts-liberation"];

/** What the tests of several machines run: where Debian puts it, and the package it comes in. */
const SERVERS = {
  "/usr/lib/postgresql": "postgresql",
  "/usr/sbin/haproxy": "haproxy",
  "/usr/sbin/nginx": "nginx-light",
  "/usr/bin/faketime": "faketime",
};

/** What three database servers that look after each other need beside that, and machines in networks of their own. */
const CLUSTER = {
  ...SERVERS,
  "/usr/bin/patroni": "patroni",
  "/usr/bin/etcd": "etcd-server",
  "/usr/sbin/ip": "iproute2",
};

/** What the tests of one machine run: with it they look at what the service asks of the system. */
const TOOLS = { "/usr/bin/strace": "strace" };

/** The languages of docs/verify-a-webhook: a program, and the Debian package it comes in. */
const RUNTIMES = { go: "golang-go", php: "php-cli", ruby: "ruby" };

/**
 * Installs what the tests need beside the project, in one go, where that can be done without asking: as root on Debian.
 * Elsewhere the tests that need one say that it is missing.
 *
 * @param {boolean} nightly whether the snippets are tried in every language
 */
export async function ensureTestPrograms(nightly) {
  const runtimes = Object.entries(RUNTIMES).filter(([program]) => !onPath([program]).some(isExecutable));
  const missing = nightly ? runtimes.map(([, name]) => name) : [];
  missing.push(...notThere({ ...TOOLS, ...(nightly ? CLUSTER : SERVERS) }));
  // A Chromium that came otherwise comes without its shell, and the tests take much longer in it.
  if (findChromium() === null || findShell() === null) missing.push(...CHROMIUM_PACKAGES);
  if (missing.length > 0 && mayInstallFromDebian()) await installFromDebian(missing);
}

/** Installs what a soak of several machines runs, where that can be done without asking. */
export async function ensureClusterPrograms() {
  if (notThere(CLUSTER).length > 0 && mayInstallFromDebian()) await installFromDebian(notThere(CLUSTER));
  const missing = notThere(CLUSTER);
  if (missing.length > 0)
    throw new Sentence(
      `This takes ${missing.join(", ")} from Debian, which are not here: install them, then run the command again.`,
    );
}

/**
 * The packages of programs that are not there.
 *
 * @param {Readonly<Record<string, string>>} programs
 */
function notThere(programs) {
  return Object.entries(programs).flatMap(([place, name]) => (existsSync(place) ? [] : [name]));
}

/**
 * The Chromium to run in; one is installed first where that can be done without asking.
 *
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  if (findChromium() === null && mayInstallFromDebian()) await installFromDebian(CHROMIUM_PACKAGES);
  const found = findChromium();
  if (found !== null) return found;
  throw new Sentence(
    "A Chromium is needed and there is none: run `npx playwright install --with-deps chromium`, or install Chrome or Chromium, then run the command again.",
  );
}

/**
 * The one INTEGRATIONS_EXPLORER_CHROMIUM names, else Playwright's own, else the system's Chrome or Chromium.
 *
 * @returns {string | null}
 */
function findChromium() {
  const named = process.env.INTEGRATIONS_EXPLORER_CHROMIUM;
  if (named && !existsSync(named))
    throw new Sentence(`INTEGRATIONS_EXPLORER_CHROMIUM names ${named}, which does not exist.`);
  if (named) return named;
  const known = CHROMIUM_PATHS[/** @type {keyof typeof CHROMIUM_PATHS} */ (process.platform)];
  const playwrights = createRequire(import.meta.url)("playwright-core").chromium.executablePath();
  return [playwrights, ...(known ?? onPath(CHROMIUM_NAMES))].find(isExecutable) ?? null;
}

/**
 * The system's headless shell, for pages without a window.
 *
 * @returns {string | null}
 */
export function findShell() {
  return onPath([SHELL]).find(isExecutable) ?? null;
}

/** @param {readonly string[]} names */
function onPath(names) {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
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

function mayInstallFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  return /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
}

/** @param {readonly string[]} packages */
async function installFromDebian(packages) {
  console.error(`Installing ${packages.join(", ")} from Debian (apt-get install) …`);
  // The run level keeps what is installed from starting by itself.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...packages]]) {
    const { status } = await run("apt-get", ["-qq", ...args], { env, output: "stderr", timeLimitMs: 10 * 60_000 });
    if (status === 0) continue;
    console.error(
      `\`apt-get ${args[0]}\` failed for the reason above; what needs these programs is skipped, or fails.`,
    );
    return;
  }
}
