import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, Sentence } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { projectNode, ROOT, readJson } from "./project.mjs";

/** Source files and folders of the service, the explorer and the desktop app. A test compares them with the imports. */
export const INPUTS = [
  "sandbox",
  "renderer",
  "electron",
  "docs/scenarios",
  "docs/verify-a-webhook",
  "build/icon.png",
  "build/lib/bundle-service.mjs",
  "build/lib/bundle-story.mjs",
  "electron.vite.config.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.base.json",
  "tsconfig.web.json",
  "tsconfig.node.json",
];
export const OUTPUTS = [
  "out/sandbox/cli.js",
  "out/renderer/index.html",
  "out/main/main.js",
  "out/preload/preload.cjs",
  "out/story/player.js",
];
const NOT_BUILT = /^\.|\.test\.tsx?$/;

/**
 * Parts that are built together.
 *
 * @typedef {object} Build
 * @property {string} what
 * @property {readonly string[]} inputs
 * @property {readonly string[]} outputs
 * @property {string} stamp file with the fingerprint of the inputs
 * @property {readonly (readonly string[])[]} programs commands that build it, in parallel
 */

/** @type {Build} */
const APP = {
  what: "the service, the explorer and the desktop app",
  inputs: INPUTS,
  outputs: OUTPUTS,
  stamp: "out/.built.json",
  programs: [
    ["build/lib/bundle-service.mjs"],
    ["build/lib/bundle-story.mjs"],
    ["node_modules/electron-vite/bin/electron-vite.js", "build", "--logLevel", "warn"],
  ],
};

/** @type {Build} */
export const HELP = {
  what: "the help pages",
  inputs: [
    "docs",
    "sandbox/contract",
    "sandbox/command",
    "renderer/domain/exchange/curl.ts",
    "renderer/domain/exchange/snippets.ts",
    "renderer/domain/exchange/import",
    "renderer/kernel/theme/fonts.css",
    "renderer/kernel/theme/tokens.css",
    "build/icon.svg",
    "CHANGELOG.md",
    "build/npm/README.md",
    "package-lock.json",
  ],
  outputs: ["out/help/index.html", "out/help/llms.txt"],
  stamp: "out/.built-help.json",
  programs: [["docs/site/build.ts"]],
};

/** Builds stale parts. Quick and silent when there are none. */
export const ensureBuilt = () => ensure([APP, HELP]);

/** Builds the help pages if stale. */
export const ensureHelp = () => ensure([HELP]);

/** @param {readonly Build[]} builds */
async function ensure(builds) {
  const stale = () => builds.filter((build) => isStale(ROOT, build));
  if (stale().length === 0) return;
  await withLock(ROOT, async () => {
    const wanted = stale();
    if (wanted.length === 0) return;
    console.error(`Building ${wanted.map(({ what }) => what).join(", and ")} …`);
    // Read before the build, so that changes during it, or an interruption, cause another build.
    const builtFrom = wanted.map((build) => fingerprint(ROOT, build));
    for (const build of wanted) rmSync(stampFile(ROOT, build), { force: true });
    const programs = wanted.flatMap(({ programs }) => programs);
    const ended = await Promise.all(programs.map((args) => run(projectNode(), args, { output: "stderr" })));
    if (ended.some(({ status }) => status !== 0)) throw new Sentence("Building failed; the reason is above.");
    for (const [index, build] of wanted.entries()) rememberBuilt(ROOT, builtFrom[index] ?? "", build);
  });
}

/**
 * @param {string} root
 * @param {Build} [build]
 */
export function isStale(root, build = APP) {
  const built = build.outputs.every((output) => existsSync(path.join(root, output)));
  return !built || readJson(stampFile(root, build)) !== fingerprint(root, build);
}

/**
 * @param {string} root
 * @param {string} builtFrom
 * @param {Build} [build]
 */
export function rememberBuilt(root, builtFrom, build = APP) {
  writeFileSync(stampFile(root, build), JSON.stringify(builtFrom));
}

/**
 * Returns a digest of the inputs' contents. Times are ignored, so switching branches back and forth builds nothing.
 *
 * @param {string} root
 * @param {Build} [build]
 * @returns {string}
 */
export function fingerprint(root, build = APP) {
  const hash = createHash("sha256");
  for (const input of build.inputs) addToHash(hash, root, input);
  return hash.digest("hex");
}

/**
 * @param {import("node:crypto").Hash} hash
 * @param {string} root
 * @param {string} relative
 */
function addToHash(hash, root, relative) {
  const absolute = path.join(root, relative);
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    hash
      .update(`${relative}\0`)
      .update(stat ? readFileSync(absolute) : "missing")
      .update("\0");
    return;
  }
  for (const name of readdirSync(absolute).sort()) {
    if (!NOT_BUILT.test(name)) addToHash(hash, root, `${relative}/${name}`);
  }
}

/**
 * @param {string} root
 * @param {Build} build
 */
function stampFile(root, { stamp }) {
  return path.join(root, stamp);
}
