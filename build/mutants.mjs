// `npm run mutants [-- AREA …] [--lines N] [--seed N]`: puts wrong lines into the code, one at a time, and counts those that
// no test notices. The same seed takes the same lines of the same code. It fails where fewer are noticed than an area has
// reached.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { run, runMain, Sentence } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { AREAS } from "./lib/mutant-areas.mjs";
import { projectEnv, projectNode, ROOT, readJson } from "./lib/project.mjs";

const STRYKER = "node_modules/@stryker-mutator/core/bin/stryker.js";
const RESULTS = path.join(ROOT, "test-results", "mutants");
/** The states in which a test noticed. */
const NOTICED = ["Killed", "Timeout", "RuntimeError"];
/** Lines that can't be made wrong. */
const EMPTY = /^\s*(\/\/|\/?\*|import\b|export \*|[\])};,]*$)/;

await runMain(async () => {
  const options = /** @type {const} */ ({
    lines: { type: "string" },
    seed: { type: "string" },
  });
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const unknown = positionals.find((name) => !Object.hasOwn(AREAS, name));
  if (unknown !== undefined)
    throw new Sentence(`No area is named ${unknown}. Choose of ${Object.keys(AREAS).join(", ")}.`, 2);
  const lines = Number(values.lines ?? 60);
  if (!(lines >= 1)) throw new Sentence("--lines takes a number above 0.", 2);
  await ensureDependencies();
  /** @type {string[]} */
  const rows = [];
  let fails = false;
  for (const area of positionals.length > 0 ? positionals : Object.keys(AREAS)) {
    const { judged, percent, least } = await measure(area, lines, values.seed ?? "1");
    rows.push(`| ${area} | ${judged} | ${percent} % | ${least} % |`);
    fails ||= percent < least;
  }
  console.log(`\n| area | wrong lines | noticed | at least |\n|---|---|---|---|\n${rows.join("\n")}`);
  return fails ? 1 : 0;
});

/**
 * @param {string} area
 * @param {number} most
 * @param {string} seed
 */
async function measure(area, most, seed) {
  const { files, tests, least } = AREAS[area] ?? { files: [], tests: [], least: 0 };
  const report = path.join(RESULTS, `${area}.json`);
  fs.mkdirSync(RESULTS, { recursive: true });
  const configuration = path.join(RESULTS, `${area}.config.json`);
  fs.writeFileSync(
    configuration,
    JSON.stringify({
      mutate: chosenLines(files, most, seed),
      testRunner: "vitest",
      vitest: { configFile: "build/lib/mutants.config.ts", related: false },
      coverageAnalysis: "perTest",
      // Other tests check sentences, or none does on purpose; the compiler reports a missing `?.`.
      mutator: { excludedMutations: ["StringLiteral", "OptionalChaining"] },
      // A line that is read once, when its module loads, would need every module loaded again.
      ignoreStatic: true,
      tempDirName: "test-results/mutants/copy",
      ignorePatterns: ["out", "test-results"],
      reporters: ["clear-text", "json"],
      clearTextReporter: { reportTests: false, reportScoreTable: false },
      jsonReporter: { fileName: report },
      // TypeScript 7 has no API: without a configuration Stryker doesn't ask for one.
      tsconfigFile: "none.json",
      concurrency: 2,
      // On a busy machine the default of 5 s passes before the test fails, and a wrong line would seem noticed.
      timeoutMS: 20_000,
    }),
  );
  const env = { ...projectEnv(ROOT), MUTANT_TESTS: tests.join(" ") };
  const { status } = await run(projectNode(), [STRYKER, "run", configuration], { env });
  if (status !== 0) throw new Sentence(`Stryker failed in ${area}, for the reason above.`);
  /** @type {{ status: string }[]} */
  const mutants = Object.values(readJson(report)?.files ?? {}).flatMap((/** @type {any} */ file) => file.mutants);
  const judged = mutants.filter(({ status: state }) => [...NOTICED, "Survived", "NoCoverage"].includes(state));
  const noticed = judged.filter(({ status: state }) => NOTICED.includes(state)).length;
  return { judged: judged.length, percent: Math.round((100 * noticed) / judged.length), least };
}

/**
 * Chooses lines of an area's files, as ranges for Stryker. The seed and the lines themselves decide the choice.
 *
 * @param {readonly string[]} globs
 * @param {number} most
 * @param {string} seed
 */
function chosenLines(globs, most, seed) {
  const files = fs.globSync([...globs], { cwd: ROOT }).filter((file) => !/\.test\.tsx?$/.test(file));
  const lines = files.flatMap((file) =>
    fs
      .readFileSync(path.join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((text, index) => (EMPTY.test(text) ? [] : [{ range: `${file}:${index + 1}-${index + 1}`, text }])),
  );
  const order = ({ range = "", text = "" }) =>
    createHash("sha256")
      .update([seed, range.replace(/:.*/, ""), text].join("\n"))
      .digest("hex");
  return lines
    .map((line) => ({ ...line, key: order(line) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .slice(0, most)
    .map(({ range }) => range);
}
