import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * What is built, from what, into what. A test holds the inputs to what the sources import.
 *
 * @typedef {"service" | "explorer" | "desktop"} Target
 * @type {Record<Target, { inputs: readonly string[], outputs: readonly string[] }>}
 */
const TARGETS = {
  service: {
    inputs: ["sandbox", "build/lib/bundle-service.mjs"],
    outputs: ["out/sandbox/cli.js"],
  },
  explorer: {
    inputs: [
      "renderer",
      "sandbox/contract",
      "electron/ipc",
      "docs/verify-a-webhook",
      "electron.vite.config.ts",
      "build/lib/bundle-app.mjs",
    ],
    outputs: ["out/renderer/index.html"],
  },
  desktop: {
    inputs: ["electron", "sandbox", "build/icon.png", "electron.vite.config.ts", "build/lib/bundle-app.mjs"],
    outputs: ["out/main/main.js", "out/preload/preload.cjs"],
  },
};

const SHARED_INPUTS = [
  "package.json",
  "package-lock.json",
  "tsconfig.base.json",
  "tsconfig.web.json",
  "tsconfig.node.json",
];
const NOT_BUILT = /\.test\.tsx?$/;

/**
 * Those of the targets whose inputs are not the ones they were last built from.
 *
 * @param {string} root
 * @param {readonly Target[]} targets
 * @returns {Target[]}
 */
export function staleTargets(root, targets) {
  return targets.filter((target) => {
    const { outputs } = TARGETS[target];
    if (!outputs.every((output) => existsSync(path.join(root, output)))) return true;
    return readStamp(root, target) !== fingerprint(root, target);
  });
}

/**
 * Forgets that a target was built, so that an interrupted build is done again.
 *
 * @param {string} root
 * @param {Target} target
 */
export function forgetBuilt(root, target) {
  rmSync(stampFile(root, target), { force: true });
}

/**
 * @param {string} root
 * @param {Target} target
 * @param {string} builtFrom the fingerprint from before the build: what changed meanwhile is built again
 */
export function rememberBuilt(root, target, builtFrom) {
  mkdirSync(path.dirname(stampFile(root, target)), { recursive: true });
  writeFileSync(stampFile(root, target), builtFrom);
}

/**
 * The files and folders a target is built from.
 *
 * @param {Target} target
 * @returns {string[]}
 */
export function inputsOf(target) {
  return [...SHARED_INPUTS, ...TARGETS[target].inputs];
}

/**
 * A digest of the contents of everything a target is built from. Contents, not times: a switch of branches and back
 * builds nothing.
 *
 * @param {string} root
 * @param {Target} target
 * @returns {string}
 */
export function fingerprint(root, target) {
  const hash = createHash("sha256");
  for (const input of inputsOf(target)) addToHash(hash, root, input);
  return hash.digest("hex");
}

/**
 * @param {import("node:crypto").Hash} hash
 * @param {string} root
 * @param {string} relative
 */
function addToHash(hash, root, relative) {
  const absolute = path.join(root, relative);
  const entries = listFolder(absolute);
  if (entries === null) {
    hash.update(`${relative}\0`).update(contentsOf(absolute)).update("\0");
    return;
  }
  for (const { name } of entries) {
    if (!NOT_BUILT.test(name) && !name.startsWith(".")) addToHash(hash, root, `${relative}/${name}`);
  }
}

/** @param {string} absolute */
function listFolder(absolute) {
  try {
    return readdirSync(absolute, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return null;
  }
}

/** @param {string} absolute */
function contentsOf(absolute) {
  try {
    return readFileSync(absolute);
  } catch {
    return "missing";
  }
}

/**
 * @param {string} root
 * @param {Target} target
 */
function stampFile(root, target) {
  return path.join(root, "out/.built", target);
}

/**
 * @param {string} root
 * @param {Target} target
 */
function readStamp(root, target) {
  try {
    return readFileSync(stampFile(root, target), "utf8");
  } catch {
    return null;
  }
}
