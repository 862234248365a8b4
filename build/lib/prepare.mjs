import { existsSync } from "node:fs";
import path from "node:path";
import { run } from "./children.mjs";
import { dependencyState, rememberInstalled } from "./dependencies.mjs";
import { withLock } from "./lock.mjs";
import { Sentence } from "./main.mjs";
import { installNode, installPackages } from "./npm.mjs";
import { projectEnv, projectNode } from "./project.mjs";
import { fingerprint, forgetBuilt, rememberBuilt, staleTargets } from "./targets.mjs";

/**
 * @typedef {import("./targets.mjs").Target} Target
 * @typedef {import("./voice.mjs").Voice} Voice
 */

const WHAT = { service: "the service", explorer: "the explorer", desktop: "the desktop app" };

/**
 * Makes sure that the dependencies are installed. Quick and silent when they are.
 *
 * @param {string} root
 * @param {Voice} voice
 */
export async function ensureDependencies(root, voice) {
  if (dependencyState(root) === "current") return;
  await withBootstrapLock(root, voice, async () => {
    const state = dependencyState(root);
    if (state === "current") return;
    if (state !== "nodeless") {
      const what = state === "missing" ? "the dependencies" : "the dependencies anew, as they are not the lock file's";
      await voice.step(`Installing ${what} (npm ci)`, () => installPackages(root));
      rememberInstalled(root);
    }
    await voice.step("Installing the project's own Node", () => installNode(root));
    if (!existsSync(projectNode(root))) {
      throw new Sentence(
        "The project's own Node could not be installed: run `npm rebuild node --ignore-scripts=false --foreground-scripts` to see why, then run the command again.",
      );
    }
  });
}

/**
 * Makes sure that these targets are built from what is there. Quick and silent when they are.
 *
 * @param {string} root
 * @param {Voice} voice
 * @param {readonly Target[]} targets
 */
export async function ensureBuilt(root, voice, targets) {
  if (staleTargets(root, targets).length === 0) return;
  await withBootstrapLock(root, voice, async () => {
    const stale = staleTargets(root, targets);
    if (stale.length === 0) return;
    await voice.step(`Building ${listOf(stale.map((target) => WHAT[target]))}`, () => buildTargets(root, stale));
  });
}

/**
 * @template T
 * @param {string} root
 * @param {Voice} voice
 * @param {() => Promise<T>} work
 */
export function withBootstrapLock(root, voice, work) {
  const onWait = (/** @type {number} */ pid) =>
    voice.say(`Waiting for another command that installs or builds here (process ${pid}) …`);
  return withLock(path.join(root, "out/.bootstrap.lock"), { onWait }, work);
}

/**
 * @param {string} root
 * @param {readonly Target[]} targets
 */
async function buildTargets(root, targets) {
  const app = targets.filter((target) => target !== "service");
  const jobs = [];
  if (targets.includes("service")) jobs.push(buildWith(root, "bundle-service.mjs", ["service"]));
  if (app.length > 0) jobs.push(buildWith(root, "bundle-app.mjs", app));
  const failures = (await Promise.allSettled(jobs)).filter((job) => job.status === "rejected");
  if (failures[0] !== undefined) throw failures[0].reason;
}

/**
 * @param {string} root
 * @param {string} script
 * @param {readonly Target[]} targets
 */
async function buildWith(root, script, targets) {
  const before = targets.map((target) => /** @type {const} */ ([target, fingerprint(root, target)]));
  for (const target of targets) forgetBuilt(root, target);
  const { code, output } = await run(projectNode(root), [path.join(root, "build/lib", script), ...targets], {
    cwd: root,
    env: projectEnv(root),
  });
  if (code !== 0) {
    const what = listOf(targets.map((target) => WHAT[target]));
    throw new Sentence(`${output.trimEnd()}\nBuilding ${what} failed; the reason is above.`);
  }
  for (const [target, builtFrom] of before) rememberBuilt(root, target, builtFrom);
}

/** @param {readonly string[]} items */
function listOf(items) {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
