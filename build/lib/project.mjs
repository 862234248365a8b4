import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Path of the project's own Node, which is installed as a dependency.
 *
 * @param {string} [root]
 */
export function projectNode(root = ROOT) {
  return path.join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
}

/**
 * Node flags of the service. By default, V8 lets the young generation grow to twice the service's peak use, and never
 * shrinks it.
 */
export const SERVICE_FLAGS = Object.freeze(["--max-semi-space-size=16"]);
export const SERVICE = Object.freeze([...SERVICE_FLAGS, path.join(ROOT, "out/sandbox/cli.js")]);

/**
 * The environment of programs that run on the project's Node: `node` and the tools come first on the path.
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
 * Returns the parsed JSON file, or null when it's missing or invalid.
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
