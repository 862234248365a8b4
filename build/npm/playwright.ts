import path from "node:path";
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from "@playwright/test";
import { resultsFolder } from "./failure.ts";
import { type Sandbox, startSandbox } from "./index.ts";
import type { World } from "./world.ts";

// biome-ignore lint/performance/noBarrelFile: a test takes both from one module, as from Playwright itself
export { expect } from "@playwright/test";

/** Fixtures of each test. */
export interface SandboxFixtures {
  /** A world of its own, deleted after the test. If the test fails, its calls are saved and attached to the report. */
  readonly world: World;
}

/** Fixtures of each worker. */
export interface SandboxWorkerFixtures {
  /** One service for all tests of the worker. */
  readonly sandbox: Sandbox;
}

/** Playwright's `test` with a sandbox per worker and a world per test. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SandboxWorkerFixtures
> = base.extend<SandboxFixtures, SandboxWorkerFixtures>({
  sandbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from its parameter
    async ({}, use) => {
      const sandbox = await startSandbox();
      await use(sandbox);
      await sandbox.stop();
    },
    { scope: "worker" },
  ],
  world: async ({ sandbox }, use, testInfo) => {
    const world = await sandbox.world();
    await use(world);
    const { status, expectedStatus, project, attachments } = testInfo;
    if (status !== expectedStatus) {
      const folder = resultsFolder(path.join(project.outputDir, "sandbox"));
      for (const file of await world.save(testInfo.titlePath.slice(1).join(" "), folder))
        attachments.push({
          name: path.basename(file),
          path: file,
          contentType: file.endsWith(".html") ? "text/html" : "application/json",
        });
    }
    // If the sandbox has stopped, the result stays the same.
    await world.delete().catch(() => undefined);
  },
});
