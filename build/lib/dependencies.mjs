import { existsSync } from "node:fs";
import path from "node:path";
import { run, Sentence } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { projectNode, ROOT, readJson } from "./project.mjs";

// The scripts that packages want to run while they are installed are not run: the one that is needed is run by itself.
const INSTALL = [
  // Warnings that tools of the project want a newer Node say nothing here: it brings its own.
  ["ci", "--ignore-scripts", "--include=dev", "--include=optional", "--loglevel=error"],
  ["rebuild", "node", "--ignore-scripts=false"],
];
// Left alone, npm waits many minutes for a registry that does not answer.
const IMPATIENT = ["--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=60000"];

/** Makes sure that the dependencies are installed. Quick and silent when they are. */
export async function ensureDependencies() {
  if (areInstalled(ROOT)) return;
  await withLock(ROOT, async () => {
    if (areInstalled(ROOT)) return;
    console.error("Installing the dependencies (npm ci) …");
    const { program, args } = findNpm(process.env);
    for (const command of INSTALL) {
      const { status } = await run(program, [...args, ...command, ...IMPATIENT], {
        env: process.env,
        output: "stderr",
      });
      if (status === 0) continue;
      const registry = process.env.npm_config_registry ?? "https://registry.npmjs.org/";
      throw new Sentence(
        `The dependencies could not be installed from ${registry}, for the reason npm gives above: mend that (the network, the proxy, \`npm config get registry\`), then run the command again.`,
      );
    }
  });
}

/**
 * Whether what is installed is what `package-lock.json` says. npm writes down what it installed when it has finished:
 * equal versions in the same paths mean there is nothing to do, also when someone ran npm himself. An optional package
 * may be missing because it is for another platform; one for another platform was installed on another machine.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function areInstalled(root) {
  const wanted = readJson(path.join(root, "package-lock.json"))?.packages;
  const installed = readJson(path.join(root, "node_modules/.package-lock.json"))?.packages;
  if (!wanted || !installed || !existsSync(projectNode(root))) return false;
  const isMissing = (/** @type {string} */ key) => {
    if (key === "" || key in installed) return false;
    return !wanted[key].optional;
  };
  const isRight = (/** @type {string} */ key) => {
    const { version, os } = installed[key];
    return wanted[key]?.version === version && (os?.includes(process.platform) ?? true);
  };
  return !Object.keys(wanted).some(isMissing) && Object.keys(installed).every(isRight);
}

/**
 * What to run for `npm`. The Node that runs it must not be the project's own: an installation removes that one first.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ program: string, args: readonly string[] }}
 */
export function findNpm(env) {
  const cli = env.npm_execpath;
  const node = env.npm_node_execpath;
  const usable = cli && node && /npm(-cli)?\.c?js$/.test(cli) && !node.includes("node_modules") && existsSync(node);
  if (usable) return { program: node, args: [cli] };
  // On Windows npm is a script that only a shell can start; its arguments here are constants.
  if (process.platform === "win32") return { program: "cmd.exe", args: ["/d", "/s", "/c", "npm"] };
  return { program: "npm", args: [] };
}
