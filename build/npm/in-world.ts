import type { World } from "./world.ts";

/** Requirements of a test on a sandbox. */
interface Started {
  world(): Promise<World>;
  stop(): Promise<void>;
}

/** The context that Vitest and node:test pass to a test: its name and result. */
interface TestContext {
  /** Vitest. */
  readonly task?: { readonly name: string; readonly fails?: boolean; readonly result?: { readonly state: string } };
  onTestFinished?(hook: () => Promise<void>): void;
  /** node:test. */
  readonly fullName?: string;
  readonly passed?: boolean;
  after?(hook: () => Promise<void>): void;
}

/** Jest's globals. */
interface JestGlobals {
  readonly expect?: { getState?(): { readonly currentTestName?: string } };
  readonly afterEach?: (hook: () => Promise<void>) => void;
  readonly afterAll?: (hook: () => Promise<void>) => void;
}

/** A function for a runner's `test()`. */
export type TestFunction = () => Promise<void>;

/**
 * Gives each test its own world, in one sandbox per test file. A world is deleted after its test, and saved before that
 * if the test failed or timed out, according to the runner.
 *
 * @param start starts the sandbox, at the first test
 */
export function worldsFor<S extends Started>(
  start: () => Promise<S>,
): (body: (world: World, sandbox: S) => Promise<void>) => TestFunction {
  let started: Promise<S> | null = null;
  /** Cleanups of tests whose runner passes no context. */
  const ends = new Set<() => Promise<void>>();
  const endAll = async (): Promise<void> => {
    await Promise.all([...ends].map((end) => end()));
  };
  const hasHooks = hookedByJest(endAll, async () => {
    await endAll();
    const sandbox = started;
    started = null;
    await sandbox?.then(({ stop }) => stop()).catch(() => undefined);
  });
  return (body) =>
    // Runners read a function's parameters: with one, Jest waits for a callback, and Vitest looks for fixtures.
    async function inItsWorld() {
      // biome-ignore lint/complexity/noArguments: see above
      const context: TestContext = Object(arguments[0]);
      const name = testName(context);
      started ??= start();
      const sandbox = await started;
      const world = await sandbox.world();
      let isDone = false;
      const end = async (): Promise<void> => {
        ends.delete(end);
        if (context.task?.fails !== true && !(isDone && hasPassed(context))) await world.save(name);
        // Not awaited: if the sandbox has stopped, the result stays the same.
        void world.delete().catch(() => undefined);
      };
      const hook = context.onTestFinished ?? context.after;
      if (hook) hook.call(context, end);
      else ends.add(end);
      try {
        await body(world, sandbox);
        isDone = true;
      } finally {
        if (!(hook || hasHooks)) await end();
      }
    };
}

/** Returns whether the runner reports success so far. Soft assertions fail without throwing. */
const hasPassed = ({ task, passed }: TestContext): boolean => task?.result?.state !== "fail" && passed !== false;

const testName = ({ task, fullName }: TestContext): string =>
  task?.name ?? fullName ?? (globalThis as JestGlobals).expect?.getState?.().currentTestName ?? "test";

/** @returns whether the runner accepts hooks now, as Jest does while it loads a test file */
function hookedByJest(afterEachTest: () => Promise<void>, afterAllTests: () => Promise<void>): boolean {
  const { afterEach, afterAll } = globalThis as JestGlobals;
  try {
    afterEach?.(afterEachTest);
    afterAll?.(afterAllTests);
    return afterEach !== undefined;
  } catch {
    return false;
  }
}
