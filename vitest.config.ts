import { globSync, readFileSync } from "node:fs";
import os from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const tests = ["{sandbox,renderer,electron,e2e,build}/**/*.test.{ts,tsx}"];
/** Slow tests that seldom fail; only `npm test -- nightly` runs them. */
const nightly = ["sandbox/**/*.nightly.test.ts"];
const withoutPackages = { exclude: ["**/node_modules/**"] };

const filesWith = (text: string) =>
  globSync(tests, withoutPackages).filter((file) => readFileSync(file, "utf8").includes(text));
/** Tests that mock a module; it must be loaded for each of them. */
const mocking = filesWith("vi.mock(");
/** Tests that render. Separate, because a worker ends between a file with a document and one without. */
const screens = filesWith("@vitest-environment jsdom").filter((file) => !mocking.includes(file));
/**
 * Tests that open databases or start services; they run in processes, because a failing native handle ends its process.
 * So do tests that start many programs: each start copies the page tables, which are large with threads.
 */
const services = [
  "sandbox/{live-feed,storage,tests,webhooks,worlds}/**/*.test.ts",
  "{build,e2e}/**/*.test.ts",
  "renderer/domain/exchange/{curl,snippets,import/curl}.test.ts",
];

/** Tests that mostly wait, up to a minute. Each file is scheduled separately, before all others. */
const waiting = ["sandbox/cluster/{clocks,cluster,counterparts,faults,forwarding,placement}.test.ts"];
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ project }: TestSpecification): number => Number(project.name === "waiting");
    return (await super.sort(files)).toSorted((one, other) => waits(other) - waits(one));
  }
}

export default defineConfig({
  test: {
    // Many tests wait: one more than there are processors.
    maxWorkers: os.availableParallelism() + 1,
    // The files of a worker share their imports, because loading them again takes longer than most tests.
    isolate: false,
    // The service is tested as it runs, over real HTTP and on real files, maybe on a busy machine.
    testTimeout: 60_000,
    // A busy machine delivers late; a passed poll costs no time.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
    restoreMocks: true,
    sequence: { sequencer: WaitingFirst },
    ...withoutPackages,
    projects: [
      {
        extends: true,
        test: {
          ...{ name: "units", pool: "threads", include: tests },
          exclude: [...services, ...mocking, ...screens, ...waiting, ...nightly],
        },
      },
      {
        extends: true,
        test: {
          ...{ name: "screens", pool: "threads", include: screens },
          setupFiles: ["renderer/testing/async-timeout.ts", "renderer/testing/fresh-window.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...{ name: "services", pool: "forks", include: services, exclude: [...mocking, ...nightly] },
          // Node 24's V8 now and then loses track of this compiler's code and ends its process (nodejs/node 62393, 64500).
          execArgv: ["--no-sparkplug"],
        },
      },
      { extends: true, test: { name: "nightly", pool: "forks", include: nightly } },
      { extends: true, test: { name: "waiting", pool: "forks", isolate: true, include: waiting } },
      { extends: true, test: { name: "mocking", pool: "forks", isolate: true, include: mocking } },
    ],
  },
});
