import { stripVTControlCharacters } from "node:util";

/**
 * @typedef {object} Results
 * @property {number} passed
 * @property {{ name: string, reason: string }[]} failed
 * @property {{ name: string, reason: string }[]} skipped
 * @property {{ name: string, ms: number }[]} times how long each test ran
 */

/**
 * Parses the report of Playwright's JSON reporter.
 *
 * @param {any} report
 * @returns {Results | null} null when there is no report, so nothing is known
 */
export function fromPlaywright(report) {
  if (!Array.isArray(report?.suites)) return null;
  /** @type {Results} */
  const results = { passed: 0, failed: [], skipped: [], times: [] };
  for (const { spec, test } of report.suites.flatMap(listTests)) {
    const name = `${spec.file}: ${spec.title}`;
    results.times.push({ name, ms: Math.max(0, ...test.results.map((/** @type {any} */ { duration }) => duration)) });
    const skip = test.annotations?.find((/** @type {any} */ { type }) => type === "skip" || type === "fixme");
    const interrupted = test.results?.some((/** @type {any} */ { status }) => status === "interrupted");
    if (test.status === "expected") results.passed += 1;
    // Playwright also reports unreached tests as skipped (after --max-failures or a failing beforeAll).
    else if (test.status === "skipped" && skip !== undefined && !interrupted) {
      results.skipped.push({ name, reason: skip.description ?? "no reason given" });
    } else {
      // A test that passed at the second attempt counts as failed.
      const error = test.results?.find((/** @type {any} */ result) => result.error)?.error;
      results.failed.push({ name, reason: firstLine(error?.message) ?? (interrupted ? "interrupted" : "not run") });
    }
  }
  for (const error of report.errors ?? []) {
    results.failed.push({ name: "outside of any test", reason: firstLine(error.message) ?? "no reason given" });
  }
  return results;
}

/**
 * Returns an error's first line without colours; undefined when it's empty.
 *
 * @param {string | undefined} message
 */
export function firstLine(message) {
  return message && (stripVTControlCharacters(message).trim().split("\n", 1)[0] || undefined);
}

/**
 * @param {any} suite
 * @returns {{ spec: any, test: any }[]}
 */
function listTests(suite) {
  const own = (suite.specs ?? []).flatMap((/** @type {any} */ spec) =>
    spec.tests.map((/** @type {any} */ test) => ({ spec, test })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(listTests)];
}

/**
 * Result of one part of `npm test`.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {Results | null} results null when no test ran
 * @property {boolean} clean whether its program reported success
 */

/**
 * Sums the results of all parts. A part that did not run, or failed without a failed test, counts as one failure.
 *
 * @param {readonly Part[]} parts
 * @returns {Results}
 */
export function sumResults(parts) {
  /** @type {Results} */
  const sum = { passed: 0, failed: [], skipped: [], times: [] };
  for (const { name, results, clean } of parts) {
    sum.passed += results?.passed ?? 0;
    sum.failed.push(...(results?.failed ?? []));
    if (results === null) sum.failed.push({ name, reason: "did not get as far as running tests" });
    else if (!clean && results.failed.length === 0) sum.failed.push({ name, reason: "failed outside of its tests" });
    sum.skipped.push(...(results?.skipped ?? []));
    sum.times.push(...(results?.times ?? []));
  }
  return sum;
}

/**
 * Formats the slowest tests, one per line.
 *
 * @param {Results} results
 * @param {number} count
 */
export function slowest({ times }, count) {
  const sorted = [...times].sort((a, b) => b.ms - a.ms).slice(0, count);
  return sorted.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

/**
 * Formats the times of the parts and their total, one per line.
 *
 * @param {readonly { name: string, ms: number }[]} parts
 */
export function spent(parts) {
  const all = parts.reduce((sum, { ms }) => sum + ms, 0);
  return [...parts, { name: "all", ms: all }].map(({ name, ms }) => {
    const seconds = Math.round(ms / 1000);
    return `${String(Math.floor(seconds / 60)).padStart(4)} min ${String(seconds % 60).padStart(2)} s  ${name}`;
  });
}

/**
 * The last line of `npm test`.
 *
 * @param {Results} results
 * @param {readonly import("./checks.mjs").CheckResult[]} checks
 * @param {readonly string[]} notRun names of parts that did not run tests though they should have
 * @returns {string}
 */
export function countLine({ passed, failed, skipped }, checks, notRun = []) {
  const checked = checks.map((check) => `${check.name} ${check.passed ? "passed" : "FAILED"}`);
  const missing = notRun.map((name) => `not run: ${name}`);
  const notes = [...checked, ...missing].join(", ");
  return `Tests: ${passed} passed, ${failed.length} failed, ${skipped.length} skipped${notes && ` (${notes})`}`;
}

/**
 * @param {Results} results
 * @param {readonly import("./checks.mjs").CheckResult[]} checks
 * @param {boolean} testsWanted false when only checks were asked for
 */
export function exitStatus({ passed, failed }, checks, testsWanted) {
  if (failed.length > 0 || checks.some((check) => !check.passed)) return 1;
  return testsWanted && passed === 0 ? 1 : 0;
}
