// `npm test`: checks, unit and service tests, end-to-end tests. `npm test -- unit` (or check, e2e) runs one part; extra
// arguments go to Vitest or Playwright. `npm test -- nightly` runs the slow tests.
import { rmSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBuilt } from "./lib/built.mjs";
import { runChecks } from "./lib/checks.mjs";
import { run, runMain, Sentence } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { projectEnv, projectNode, ROOT, readJson } from "./lib/project.mjs";
import { countLine, exitStatus, fromPlaywright, slowest, spent, sumResults } from "./lib/results.mjs";
import { ensureChromium, ensureTestPrograms, findShell } from "./lib/test-programs.mjs";

const PARTS = ["check", "unit", "e2e", "nightly"];
const VITEST = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--reporter=default",
  "--reporter=./build/lib/vitest-report.mjs",
];
const PLAYWRIGHT = ["node_modules/@playwright/test/cli.js", "test"];

/** @type {{ name: string, ms: number }[]} */
const took = [];

await runMain(async () => {
  const [part, ...rest] = process.argv.slice(2);
  if (part !== undefined && !PARTS.includes(part)) {
    throw new Sentence(`\`npm test -- ${part}\` is not a part of the tests: it can be ${PARTS.join(", ")}.`, 2);
  }
  const wanted = (/** @type {string} */ name) => (part === undefined ? name !== "nightly" : part === name);
  await timed("dependencies", ensureDependencies);
  const checks = wanted("check") ? await timed("checks", runChecks) : [];
  /** @type {import("./lib/results.mjs").Part[]} */
  const parts = [];
  if (part !== "check") {
    await timed("build", ensureBuilt);
    await timed("programs for the tests", () => ensureTestPrograms(wanted("nightly")));
  }
  if (wanted("unit"))
    parts.push(await timed("unit and service tests", () => vitest("unit", ["--project=!nightly", ...rest])));
  if (wanted("nightly"))
    parts.push(await timed("nightly tests", () => vitest("nightly", ["--project=nightly", ...rest])));
  if (wanted("e2e")) parts.push(await timed("end-to-end tests", () => endToEndTests(rest)));

  const sum = sumResults(parts);
  for (const { name, reason } of sum.skipped) console.log(`skipped: ${name} (${reason})`);
  if (sum.times.length > 0) console.log(`\nThe slowest tests:\n${slowest(sum, 10).join("\n")}`);
  // Repeated at the end, after thousands of lines.
  if (sum.failed.length > 0) console.log("\nWhat failed:");
  for (const { name, reason } of sum.failed) console.log(`  ${name}\n    ${reason}`);
  console.log(`\nHow long it took:\n${spent(took).join("\n")}\n`);
  const status = exitStatus(sum, checks, parts.length > 0);
  if (parts.length > 0 && sum.passed + sum.failed.length === 0) console.log("No test ran, which counts as a failure.");
  const notRun = parts.filter(({ results }) => results === null).map(({ name }) => name);
  console.log(countLine(sum, checks, notRun));
  return status;
});

/**
 * @param {"unit" | "nightly"} name
 * @param {readonly string[]} extra
 * @returns {Promise<import("./lib/results.mjs").Part>}
 */
async function vitest(name, extra) {
  const { report, clean } = await runTests(name, [...VITEST, ...extra], {});
  return { name: name === "unit" ? "unit and service tests" : "nightly tests", results: report, clean };
}

/**
 * @param {readonly string[]} extra
 * @returns {Promise<import("./lib/results.mjs").Part>}
 */
async function endToEndTests(extra) {
  const name = "end-to-end tests";
  let chromium;
  try {
    chromium = await ensureChromium();
  } catch (error) {
    if (!(error instanceof Sentence)) throw error;
    console.log(error.message);
    return { name, results: null, clean: false };
  }
  const browser = process.env.INTEGRATIONS_EXPLORER_CHROMIUM ? chromium : (findShell() ?? chromium);
  console.log(`In ${browser}`);
  const named = { INTEGRATIONS_EXPLORER_CHROMIUM: browser, STANDIN_CHROMIUM: chromium };
  const { report, clean } = await runTests("e2e", [...PLAYWRIGHT, ...extra], named);
  return { name, results: fromPlaywright(report), clean };
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function runTests(name, args, env) {
  const file = path.join(ROOT, "test-results", `${name}.json`);
  rmSync(file, { force: true });
  // A compile cache, because hundreds of processes and threads load the same modules.
  const compiled = path.join(ROOT, "node_modules", ".cache", "compiled");
  const given = {
    ...projectEnv(ROOT),
    ...env,
    NODE_COMPILE_CACHE: compiled,
    TEST_REPORT_FILE: file,
    // The help's commands run on the system's Node, as for a reader.
    READERS_NODE: process.execPath,
    // With a socket as standard input, as Node passes it, bash assumes a remote login and runs ~/.bashrc.
    SHLVL: process.env.SHLVL ?? "1",
    TMPDIR: scratch(),
  };
  const { status } = await run(projectNode(), args, { env: given });
  return { report: readJson(file), clean: status === 0 };
}

const SHARED_MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Returns the tests' temporary folder, in memory if there is room. Thousands of databases are created, and each commit
 * waits for the disk; no test needs them to outlive the machine.
 *
 * @returns {string}
 */
function scratch() {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return process.platform === "linux" && bavail * bsize > ENOUGH_BYTES ? SHARED_MEMORY : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function timed(name, work) {
  const began = performance.now();
  console.log(`\n── ${name}`);
  const result = await work();
  const ms = performance.now() - began;
  took.push({ name, ms });
  console.log(`── ${name}: ${Math.round(ms / 1000)} s`);
  return result;
}
