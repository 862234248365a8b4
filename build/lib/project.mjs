import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Where the project keeps the Node it runs on; it is there once the dependencies are installed.
 *
 * @param {string} [root]
 */
export function projectNode(root = ROOT) {
  return path.join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
}

/**
 * How the service is run: the program's own arguments follow. Left alone, V8 lets the space for what lives shortly grow
 * to twice what the service needs at its busiest, and never gives it back.
 */
export const SERVICE_FLAGS = Object.freeze(["--max-semi-space-size=16"]);
export const SERVICE = Object.freeze([...SERVICE_FLAGS, path.join(ROOT, "out/sandbox/cli.js")]);

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
