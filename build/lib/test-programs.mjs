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
/** Chromium without window management: its tests use a third less CPU. */
const SHELL = "chromium-headless-shell";
// The fonts cover characters that the explorer's own fonts lack.
const CHROMIUM_PACKAGES = ["chromium", SHELL, "fonts-liberation"];

/** Programs of the cluster tests: Debian's path and package. */
const SERVERS = {
  "/usr/lib/postgresql": "postgresql",
  "/usr/sbin/haproxy": "haproxy",
  "/usr/sbin/nginx": "nginx-light",
  "/usr/bin/faketime": "faketime",
};

/** Additional packages for three replicated database servers on machines with their own networks. */
const CLUSTER = {
  ...SERVERS,
  "/usr/bin/patroni": "patroni",
  "/usr/bin/etcd": "etcd-server",
  "/usr/sbin/ip": "iproute2",
};

/** Programs of the tests on one machine, which trace the service's system calls. */
const TOOLS = { "/usr/bin/strace": "strace" };

/** Languages of docs/verify-a-webhook: a program and its Debian package. */
const RUNTIMES = { go: "golang-go", php: "php-cli", ruby: "ruby" };

/**
 * Installs the tests' programs where that needs no confirmation: as root on Debian. Elsewhere, tests report a missing
 * program.
 *
 * @param {boolean} nightly whether the snippets are tried in every language
 */
export async function ensureTestPrograms(nightly) {
  const runtimes = Object.entries(RUNTIMES).filter(([program]) => !onPath([program]).some(isExecutable));
  const missing = nightly ? runtimes.map(([, name]) => name) : [];
  missing.push(...missingPackages({ ...TOOLS, ...(nightly ? CLUSTER : SERVERS) }));
  // Another source's Chromium has no headless shell, which makes tests much slower.
  if (findChromium() === null || findShell() === null) missing.push(...CHROMIUM_PACKAGES);
  if (missing.length > 0 && canInstallFromDebian()) await installFromDebian(missing);
}

/** Installs the programs of a cluster soak test where that needs no confirmation. */
export async function ensureClusterPrograms() {
  if (missingPackages(CLUSTER).length > 0 && canInstallFromDebian()) await installFromDebian(missingPackages(CLUSTER));
  const missing = missingPackages(CLUSTER);
  if (missing.length > 0)
    throw new Sentence(
      `This takes ${missing.join(", ")} from Debian, which are not here: install them, then run the command again.`,
    );
}

/**
 * Returns the packages of missing programs.
 *
 * @param {Readonly<Record<string, string>>} programs
 */
function missingPackages(programs) {
  return Object.entries(programs).flatMap(([place, name]) => (existsSync(place) ? [] : [name]));
}

/**
 * Returns the Chromium to use, after installing it if necessary and possible.
 *
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  if (findChromium() === null && canInstallFromDebian()) await installFromDebian(CHROMIUM_PACKAGES);
  const found = findChromium();
  if (found !== null) return found;
  throw new Sentence(
    "A Chromium is needed and there is none: run `npx playwright install --with-deps chromium`, or install Chrome or Chromium, then run the command again.",
  );
}

/**
 * Returns INTEGRATIONS_EXPLORER_CHROMIUM, else Playwright's own, else the system's Chrome or Chromium.
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
 * Returns the system's headless shell.
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

function canInstallFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  return /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
}

/** @param {readonly string[]} packages */
async function installFromDebian(packages) {
  console.error(`Installing ${packages.join(", ")} from Debian (apt-get install) …`);
  // The run level prevents installed services from starting.
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
