import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { firstLine } from "./results.mjs";

/**
 * Writes the counts of `npm test` to the file TEST_REPORT_FILE. Vitest's own JSON omits the reasons of skipped tests.
 */
// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export
export default class CountingReporter {
  /**
   * @param {readonly import("vitest/node").TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.TEST_REPORT_FILE;
    if (!file) return;
    /** @type {import("./results.mjs").Results} */
    const results = { passed: 0, failed: [], skipped: [], times: [] };
    const fail = (/** @type {string} */ name, /** @type {readonly any[]} */ errors) => {
      for (const error of errors) results.failed.push({ name, reason: firstLine(error?.message) ?? String(error) });
    };
    fail("outside of any test", unhandledErrors);
    for (const module of modules) {
      // Errors during loading or in hooks belong to no test.
      fail(module.relativeModuleId, module.errors());
      for (const suite of module.children.allSuites())
        fail(`${module.relativeModuleId}: ${suite.fullName}`, suite.errors());
      for (const test of module.children.allTests()) {
        const result = test.result();
        const name = `${module.relativeModuleId}: ${test.fullName}`;
        results.times.push({ name, ms: test.diagnostic()?.duration ?? 0 });
        if (result.state === "passed") results.passed += 1;
        else if (result.state === "skipped") {
          const reason = result.note ?? (test.options.mode === "todo" ? "to do" : "no reason given");
          results.skipped.push({ name, reason });
        } else fail(name, [result.errors?.[0] ?? new Error(result.state)]);
      }
    }
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(results));
  }
}
