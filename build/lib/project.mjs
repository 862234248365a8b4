import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const OLDEST_NODE = [20, 19];

/**
 * The sentence to show when this Node is too old to run the project, or null.
 *
 * @param {string} version for example `20.19.0`
 * @returns {string | null}
 */
export function nodeTooOld(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `Integrations Explorer needs Node ${OLDEST_NODE.join(".")} or newer, and this is Node ${version}: install a newer one from https://nodejs.org and run the command again.`;
}

/**
 * Where the project keeps the Node it runs on; it is there once the dependencies are installed.
 *
 * @param {string} root
 */
export function projectNode(root) {
  return path.join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
}

/**
 * How the service is run: the program's own arguments follow. Left alone, V8 lets the space for what lives shortly grow
 * to twice what the service needs at its busiest, and never gives it back.
 */
export const SERVICE_FLAGS = Object.freeze(["--max-semi-space-size=16"]);

/** @param {string} root */
export function serviceArguments(root) {
  return [...SERVICE_FLAGS, path.join(root, "out/sandbox/cli.js")];
}

/**
 * The environment of everything that runs on the project's Node: `node` and the tools are found in it first.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function projectEnv(root, env = process.env) {
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const bin = path.join(root, "node_modules/.bin");
  const others = (env[key] ?? "").split(path.delimiter).filter((folder) => folder !== bin);
  return { ...env, [key]: [bin, ...others].join(path.delimiter) };
}

/**
 * A folder for what the bootstrap remembers; it goes when the dependencies go.
 *
 * @param {string} root
 */
export function cacheFolder(root) {
  return path.join(root, "node_modules/.cache/integrations-explorer");
}

/**
 * The parsed JSON file, or null when it is missing or broken.
 *
 * @param {string} file
 * @returns {any}
 */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
