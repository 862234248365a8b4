import path from "node:path";
import { Sentence } from "./main.mjs";

/**
 * @typedef {object} StartOptions
 * @property {string | null} dataFolder absolute, or null for the default one
 * @property {string[]} rest passed on as they are
 */

/**
 * The arguments of `npm start -- …`. Only `--data DIR` is looked at here, since the desktop app and the service alone
 * are told of it in different ways.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {StartOptions}
 */
export function parseStartArguments(args, env) {
  /** @type {StartOptions} */
  const options = { dataFolder: env.SANDBOX_DATA ? path.resolve(env.SANDBOX_DATA) : null, rest: [] };
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? "";
    if (arg !== "--data" && !arg.startsWith("--data=")) {
      options.rest.push(arg);
      continue;
    }
    const folder = arg === "--data" ? args[++i] : arg.slice("--data=".length);
    if (!folder) throw new Sentence("--data needs a folder after it.", 2);
    options.dataFolder = path.resolve(folder);
  }
  return options;
}
