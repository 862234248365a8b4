import { run } from "./command.mjs";
import { projectNode } from "./project.mjs";

const CHECKS = [
  { name: "types", args: ["typescript/bin/tsc", "--build", "tsconfig.json", "build/tsconfig.json"] },
  { name: "lint", args: ["@biomejs/biome/bin/biome", "check", "."] },
  {
    name: "architecture",
    args: ["dependency-cruiser/bin/dependency-cruiser.mjs", "sandbox", "renderer", "electron", "e2e", "build"],
  },
];

/**
 * @typedef {object} CheckResult
 * @property {string} name
 * @property {boolean} passed
 */

/**
 * Runs the static checks in parallel, and prints the complete output of failed ones.
 *
 * @returns {Promise<CheckResult[]>}
 */
export function runChecks() {
  return Promise.all(
    CHECKS.map(async ({ name, args: [program, ...args] }) => {
      const { status, output } = await run(projectNode(), [`node_modules/${program}`, ...args], { output: "keep" });
      console.log(status === 0 ? `  ${name}: passed` : `${output.trim()}\n  ${name}: FAILED`);
      return { name, passed: status === 0 };
    }),
  );
}
