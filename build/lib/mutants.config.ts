import { defineConfig } from "vitest/config";

const tests = (process.env.MUTANT_TESTS ?? "").split(" ");
const drawing = tests.some((test) => test.startsWith("renderer/"));

/** Runs the tests of one area for `npm run mutants`, in one thread, so that each test's wrong lines are known. */
export default defineConfig({
  test: {
    include: tests,
    exclude: ["**/node_modules/**", "**/*.nightly.test.ts"],
    environment: drawing ? "jsdom" : "node",
    setupFiles: drawing ? ["renderer/testing/async-timeout.ts", "renderer/testing/fresh-window.ts"] : [],
    pool: "threads",
    isolate: false,
    restoreMocks: true,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
