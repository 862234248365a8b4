import { globSync, readFileSync } from "node:fs";
import os from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const tests = ["{sandbox,renderer,electron,e2e,build}/**/*.test.{ts,tsx}"];
/** What takes long and seldom fails: `npm test -- nightly` runs it alone, everything else leaves it out. */
const nightly = ["sandbox/**/*.nightly.test.ts"];
const withoutPackages = { exclude: ["**/node_modules/**"] };

const filesWith = (text: string) =>
  globSync(tests, withoutPackages).filter((file) => readFileSync(file, "utf8").includes(text));
/** What mocks a module needs it to be loaded anew. */
const mocking = filesWith("vi.mock(");
/** What draws needs a document: a worker that has one is ended, with all it has loaded, where the next file needs none. */
const screens = filesWith("@vitest-environment jsdom").filter((file) => !mocking.includes(file));
/**
 * What opens databases and starts services, in processes: a native handle that fails takes its process along. And what
 * starts many programs: the process of all threads is large, and each start copies its tables of pages.
 */
const services = [
  "sandbox/{live-feed,storage,tests,webhooks,worlds}/**/*.test.ts",
  "{build,e2e}/**/*.test.ts",
  "renderer/domain/exchange/{curl,snippets,import/curl}.test.ts",
];

/** What mostly waits, up to a minute: each file is scheduled by itself, before all others. */
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
    // The files of a worker share what they import: to load it anew for each takes longer than most tests.
    isolate: false,
    // The service is tested as it runs, over real HTTP and on real files, maybe on a busy machine.
    testTimeout: 20_000,
    hookTimeout: 30_000,
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
          setupFiles: ["renderer/testing/patience.ts", "renderer/testing/fresh-window.ts"],
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
