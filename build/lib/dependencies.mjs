import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cacheFolder, projectNode, readJson } from "./project.mjs";

/**
 * Whether what is installed is what `package-lock.json` says. `nodeless`: all but the project's own Node, which comes
 * by an install script.
 *
 * @param {string} root
 * @returns {"current" | "missing" | "changed" | "nodeless"}
 */
export function dependencyState(root) {
  if (!existsSync(path.join(root, "node_modules"))) return "missing";
  if (readStamp(root) !== stampOf(root)) {
    if (!installedMatchesLock(root)) return "changed";
    // Someone ran npm himself: nothing to do but to remember it.
    rememberInstalled(root);
  }
  return existsSync(projectNode(root)) ? "current" : "nodeless";
}

/** @param {string} root */
export function rememberInstalled(root) {
  mkdirSync(cacheFolder(root), { recursive: true });
  writeFileSync(stampFile(root), stampOf(root));
}

/** @param {string} root */
function stampFile(root) {
  return path.join(cacheFolder(root), "dependencies");
}

/**
 * A folder may be shared between machines, and what is installed differs by platform.
 *
 * @param {string} root
 */
function stampOf(root) {
  const lock = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  return `${lock} ${process.platform}-${process.arch}`;
}

/** @param {string} root */
function readStamp(root) {
  try {
    return readFileSync(stampFile(root), "utf8");
  } catch {
    return null;
  }
}

/**
 * npm writes down what it installed when it has finished. Equal versions in the same places mean there is nothing to do;
 * an optional package may be missing because it is for another platform.
 *
 * @param {string} root
 */
function installedMatchesLock(root) {
  const wanted = readJson(path.join(root, "package-lock.json"))?.packages;
  const installed = readJson(path.join(root, "node_modules/.package-lock.json"))?.packages;
  if (!wanted || !installed) return false;
  const missing = Object.entries(wanted).some(([place, { version, optional }]) => {
    if (place === "") return false;
    return place in installed ? installed[place].version !== version : !optional;
  });
  return !missing && Object.keys(installed).every((place) => place in wanted);
}
