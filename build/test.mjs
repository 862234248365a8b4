// `npm test`: checks, unit and service tests, end-to-end tests. `npm test -- unit` (or check, e2e) runs one part; what
// follows the name goes to Vitest or Playwright.
import { rmSync } from "node:fs";
import path from "node:path";
import { runChecks } from "./lib/checks.mjs";
import { run } from "./lib/children.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { runMain, Sentence } from "./lib/main.mjs";
import { ensureBuilt, ensureDependencies } from "./lib/prepare.mjs";
import { projectEnv, projectNode, ROOT, readJson } from "./lib/project.mjs";
import { countLine, exitStatus, fromPlaywright, sumUp } from "./lib/results.mjs";
import { createVoice, seconds } from "./lib/voice.mjs";

/**
 * @typedef {import("./lib/results.mjs").Part} Part
 * @typedef {import("./lib/checks.mjs").CheckResult} CheckResult
 */

const PARTS = ["check", "unit", "e2e"];
const REPORTS = path.join(ROOT, "test-results");
const voice = createVoice(process.stdout);

await runMain(async () => {
  const [part, ...rest] = process.argv.slice(2);
  if (part !== undefined && !PARTS.includes(part)) {
    throw new Sentence(`\`npm test -- ${part}\` is not a part of the tests: it can be ${PARTS.join(", ")}.`, 2);
  }
  const wanted = (/** @type {string} */ name) => part === undefined || part === name;
  await timed("dependencies", () => ensureDependencies(ROOT, voice));

  /** @type {CheckResult[]} */
  const checks = wanted("check") ? await timed("checks", () => runChecks(ROOT, voice)) : [];
  /** @type {Part[]} */
  const parts = [];
  if (wanted("unit") || wanted("e2e")) {
    const built = await timed("build", build);
    if (wanted("unit")) parts.push(await timed("unit and service tests", () => unitTests(rest)));
    if (wanted("e2e")) parts.push(await timed("end-to-end tests", () => endToEndTests(built, rest)));
  }
  return tell(parts, checks);
});

/**
 * @param {readonly string[]} extra
 * @returns {Promise<Part>}
 */
async function unitTests(extra) {
  const report = path.join(REPORTS, "unit.json");
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=./build/lib/vitest-report.mjs"];
  const args = ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...extra];
  const env = { ...projectEnv(ROOT), TEST_REPORT_FILE: report };
  const { code } = await run(projectNode(ROOT), args, { cwd: ROOT, env, output: "stdout" });
  return { name: "unit and service tests", results: readJson(report), clean: code === 0 };
}

/**
 * @param {boolean} built
 * @param {readonly string[]} extra
 * @returns {Promise<Part>}
 */
async function endToEndTests(built, extra) {
  const name = "end-to-end tests";
  const chromium = built ? await toldWhenMissing(() => ensureChromium(ROOT, voice)) : null;
  if (chromium === null) return { name, results: null, clean: false };
  voice.say(`In ${chromium}`);
  const report = path.join(REPORTS, "e2e.json");
  rmSync(report, { force: true });
  const args = ["node_modules/@playwright/test/cli.js", "test", ...extra];
  const named = { INTEGRATIONS_EXPLORER_CHROMIUM: chromium, STANDIN_CHROMIUM: chromium };
  const env = { ...projectEnv(ROOT), TEST_REPORT_FILE: report, ...named };
  const { code } = await run(projectNode(ROOT), args, { cwd: ROOT, env, output: "stdout" });
  return { name, results: fromPlaywright(readJson(report)), clean: code === 0 };
}

async function build() {
  const built = await toldWhenMissing(async () => {
    await ensureBuilt(ROOT, voice, ["service", "explorer", "desktop"]);
    return true;
  });
  return built ?? false;
}

/**
 * What stands in the way of one part is told and does not keep the others from running.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T | null>}
 */
async function toldWhenMissing(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Sentence)) throw error;
    voice.say(error.message);
    return null;
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
  voice.say(`\n── ${name}`);
  const result = await work();
  voice.say(`── ${name}: ${seconds(performance.now() - began)}`);
  return result;
}

/**
 * @param {readonly Part[]} parts
 * @param {readonly CheckResult[]} checks
 */
function tell(parts, checks) {
  const sum = sumUp(parts);
  const notRun = parts.filter(({ results }) => results === null).map(({ name }) => name);
  voice.say("");
  for (const { name, reason } of sum.skipped) voice.say(`skipped: ${name} (${reason})`);
  const status = exitStatus(sum, checks, parts.length > 0);
  if (status !== 0 && sum.failed === 0 && checks.every(({ passed }) => passed))
    voice.say("No test ran, which counts as a failure.");
  voice.say(countLine(sum, checks, notRun));
  return status;
}
