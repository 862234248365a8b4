import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, Sentence } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { projectNode, ROOT, readJson } from "./project.mjs";

/** The files and folders that the service, the explorer and the desktop app are built from. A test holds them to what is imported. */
export const INPUTS = [
  "sandbox",
  "renderer",
  "electron",
  "docs/scenarios",
  "docs/verify-a-webhook",
  "build/icon.png",
  "build/lib/bundle-service.mjs",
  "electron.vite.config.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.base.json",
  "tsconfig.web.json",
  "tsconfig.node.json",
];
export const OUTPUTS = ["out/sandbox/cli.js", "out/renderer/index.html", "out/main/main.js", "out/preload/preload.cjs"];
const NOT_BUILT = /^\.|\.test\.tsx?$/;
const BUNDLERS = [
  ["build/lib/bundle-service.mjs"],
  ["node_modules/electron-vite/bin/electron-vite.js", "build", "--logLevel", "warn"],
];

/** Makes sure that everything is built from what is there. Quick and silent when it is. */
export async function ensureBuilt() {
  if (!isStale(ROOT)) return;
  await withLock(ROOT, async () => {
    if (!isStale(ROOT)) return;
    console.error("Building the service, the explorer and the desktop app …");
    // From before the build: what changes meanwhile is built again, and so is what was interrupted.
    const builtFrom = fingerprint(ROOT);
    rmSync(stampFile(ROOT), { force: true });
    const builds = await Promise.all(BUNDLERS.map((args) => run(projectNode(), args, { output: "stderr" })));
    if (builds.some(({ status }) => status !== 0)) throw new Sentence("Building failed; the reason is above.");
    rememberBuilt(ROOT, builtFrom);
  });
}

/** @param {string} root */
export function isStale(root) {
  const built = OUTPUTS.every((output) => existsSync(path.join(root, output)));
  return !built || readJson(stampFile(root)) !== fingerprint(root);
}

/**
 * @param {string} root
 * @param {string} builtFrom
 */
export function rememberBuilt(root, builtFrom) {
  writeFileSync(stampFile(root), JSON.stringify(builtFrom));
}

/**
 * A digest of everything that is built. Contents, not times: a switch of branches and back builds nothing.
 *
 * @param {string} root
 * @returns {string}
 */
export function fingerprint(root) {
  const hash = createHash("sha256");
  for (const input of INPUTS) addToHash(hash, root, input);
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

/** @param {string} root */
function stampFile(root) {
  return path.join(root, "out/.built.json");
}
