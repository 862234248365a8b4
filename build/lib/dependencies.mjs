import { existsSync } from "node:fs";
import path from "node:path";
import { run, Sentence } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { projectNode, ROOT, readJson } from "./project.mjs";

// Install scripts of packages don't run; the only necessary one is started explicitly.
const INSTALL = [
  // Hides warnings about Node's version: the project brings its own Node.
  ["ci", "--ignore-scripts", "--include=dev", "--include=optional", "--loglevel=error"],
  ["rebuild", "node", "--ignore-scripts=false"],
];
// By default, npm waits many minutes for a registry that does not respond.
const NPM_TIMEOUTS = ["--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=60000"];

/** Installs missing dependencies. Quick and silent when there are none. */
export async function ensureDependencies() {
  if (areInstalled(ROOT)) return;
  await withLock(ROOT, async () => {
    if (areInstalled(ROOT)) return;
    console.error("Installing the dependencies (npm ci) …");
    const { program, args } = findNpm(process.env);
    for (const command of INSTALL) {
      const { status } = await run(program, [...args, ...command, ...NPM_TIMEOUTS], {
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
 * Returns whether the installed packages match `package-lock.json`. npm writes its own list when it has finished, so equal
 * versions at equal paths mean that nothing is missing, even after a manual `npm install`. Optional packages may be
 * missing for another platform; a package of another platform comes from an installation on another machine.
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
 * Returns the command for `npm`. It must not run on the project's own Node, which an installation removes first.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ program: string, args: readonly string[] }}
 */
export function findNpm(env) {
  const cli = env.npm_execpath;
  const node = env.npm_node_execpath;
  const usable = cli && node && /npm(-cli)?\.c?js$/.test(cli) && !node.includes("node_modules") && existsSync(node);
  if (usable) return { program: node, args: [cli] };
  // On Windows, npm is a script that needs a shell; its arguments here are constants.
  if (process.platform === "win32") return { program: "cmd.exe", args: ["/d", "/s", "/c", "npm"] };
  return { program: "npm", args: [] };
}
