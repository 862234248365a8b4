import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from "@playwright/test";
import { type Sandbox, startSandbox } from "./index.ts";
import type { World } from "./world.ts";

// biome-ignore lint/performance/noBarrelFile: a test takes both from one module, as from Playwright itself
export { expect } from "@playwright/test";

/** What each test gets. */
export interface SandboxFixtures {
  /** A world of its own, deleted after the test. */
  readonly world: World;
}

/** What each worker gets. */
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
  world: async ({ sandbox }, use) => {
    const world = await sandbox.world();
    await use(world);
    await world.delete();
  },
});
