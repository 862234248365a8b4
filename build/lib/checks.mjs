import { run } from "./children.mjs";
import { projectEnv, projectNode } from "./project.mjs";
import { seconds } from "./voice.mjs";

/** The folders whose imports are held to the rules of `.dependency-cruiser.mjs`. */
const ARCHITECTURE = ["sandbox", "renderer", "electron", "e2e", "build"];

const CHECKS = [
  { name: "types", program: "typescript/bin/tsc", args: ["--build", "tsconfig.json", "build/tsconfig.json"] },
  { name: "lint", program: "@biomejs/biome/bin/biome", args: ["check", "."] },
  {
    name: "architecture",
    program: "dependency-cruiser/bin/dependency-cruiser.mjs",
    args: ["--config", ".dependency-cruiser.mjs", ...ARCHITECTURE],
  },
];

/**
 * @typedef {object} CheckResult
 * @property {string} name
 * @property {boolean} passed
 */

/**
 * Runs the checks that read the source without running it, side by side, and tells of each how it went. What a failing
 * one wrote is shown whole.
 *
 * @param {string} root
 * @param {import("./voice.mjs").Voice} voice
 * @returns {Promise<CheckResult[]>}
 */
export function runChecks(root, voice) {
  return Promise.all(
    CHECKS.map(async ({ name, program, args }) => {
      const began = performance.now();
      const { code, output } = await run(projectNode(root), [`node_modules/${program}`, ...args], {
        cwd: root,
        env: projectEnv(root),
      });
      const took = seconds(performance.now() - began);
      if (code === 0) voice.say(`  ${name}: passed in ${took}`);
      else voice.say(`  ${name}: FAILED in ${took}\n${indent(output.trim())}`);
      return { name, passed: code === 0 };
    }),
  );
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^/gm, "    ");
}
