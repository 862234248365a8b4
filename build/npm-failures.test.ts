import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PACKAGE } from "../sandbox/contract/package-name.ts";
import { ROOT } from "./lib/project.mjs";

/** The package and the test runners, as in a user's project. */
const scratch = mkdtempSync(path.join(tmpdir(), "npm-failures-"));
const modules = path.join(scratch, "node_modules");
const installed = path.join(modules, PACKAGE);
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(SANDBOX_|VITEST|NODE_ENV)/.test(name)),
);

/** Destination of all runners but Playwright. */
const FAILURES = "sandbox-failures";
const IMPORT = `import { inWorld } from "${PACKAGE}";`;
/** The buyer confirms an order, which only its supplier may do. */
const REFUSED = `async (world) => {
  await world.call("repairer", "supplier.procurements.confirm", { identity: { id: "c95ff06c-9b3e-5ce1-b298-504cbf3a212f" } });
}`;
const CALLS = `async (world) => { await world.call("repairer", "businesses.list", {}); }`;

/** Runs a command in a new project. Resolves to its output, whatever its status. */
const runInProject = async (
  name: string,
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
) => {
  const cwd = path.join(scratch, name);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(path.join(cwd, "package.json"), "{}");
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(cwd, file), text);
  const options = { cwd, env: { ...env, ...settings } };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options).catch((error) => error);
  return { cwd, printed: `${stdout}${stderr}` };
};

const listFiles = (folder: string): string[] => readdirSync(path.join(folder, FAILURES)).toSorted();
const saved = (name: string, extension: string) => expect.stringMatching(`^${name}-[0-9a-f]{8}\\.${extension}$`);
const both = (name: string) => [saved(name, "html"), saved(name, "reproduction")];

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ["build/lib/npm-package.mjs", installed]);
  mkdirSync(path.join(modules, "@playwright"), { recursive: true });
  for (const name of ["better-sqlite3", "vitest", "playwright", "playwright-core", "@playwright/test"])
    symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name), "junction");
}, 60_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

// Each test mostly waits for another program, so they run concurrently.
describe.concurrent("saves the calls of a failed test's world", () => {
  test("in node:test: after an exception and after a timeout", async () => {
    const file = `import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
${IMPORT}
test("passes", inWorld(${CALLS}));
test("../who: /confirms\\\\ 🚗 ${"long ".repeat(50)}", inWorld(${REFUSED}));
test("too long", { timeout: 3_000 }, inWorld(async (world) => { await world.call("repairer", "businesses.list", {}); await sleep(4_000); }));
test("alone", () => inWorld(${REFUSED})());
test("no calls", inWorld(async () => { throw new Error("its own"); }));
`;
    const { cwd, printed } = await runInProject("node", { "a.test.mjs": file }, ["--test", "--test-reporter=tap"]);
    expect(printed).toMatch(/# pass 1\n# fail 3\n# cancelled 1/);
    expect(printed).toMatch(/no-calls-[0-9a-f]{8}\.html" in a browser\. There is no reproduction: \w/);
    const long = "who-confirms-long-long-long-long-long-long-long-long-lon";
    expect(listFiles(cwd)).toEqual([saved("no-calls", "html"), ...both("test"), ...both("too-long"), ...both(long)]);
    const [page = "", reproduction = ""] = listFiles(cwd).slice(-2);
    const folder = FAILURES;
    expect(printed).toContain(
      `Open "${path.join(folder, page)}" in a browser. Repeat them: npx ${PACKAGE} run "${path.join(folder, reproduction)}"`,
    );
    const html = readFileSync(path.join(cwd, folder, page), "utf8");
    expect(html).toContain("<title>../who: /confirms\\ 🚗 long");
    expect(html).toContain("This is a buyer key; this operation needs a supplier key.");
    expect(html).toContain("Tarn &amp; Rowe");
    expect(html).not.toMatch(/<script|sbx_[0-9a-f]{12}/);
    const run = [path.join(installed, "sandbox/cli.js"), "run", path.join(folder, reproduction)];
    expect((await runInProject("node", {}, run)).printed).toMatch(
      /supplier\.procurements\.confirm → 403[\s\S]*all 1 step passed/,
    );
  }, 60_000);

  test("in Vitest: for concurrent tests with equal names, and for soft assertions", async () => {
    const two = `import { expect, test } from "vitest";
${IMPORT}
test.concurrent("same", inWorld(${REFUSED}));
test.concurrent("same", inWorld(${REFUSED}));
test("soft", inWorld(async (world) => { await world.call("repairer", "businesses.list", {}); expect.soft(1).toBe(2); }));
test("passes", inWorld(${CALLS}));
test.fails("is expected to fail", inWorld(${REFUSED}));
`;
    // A second test file: it uses fixtures and never resets its fake timers.
    const another = `import { test as base, vi } from "vitest";
${IMPORT}
const test = base.extend({ one: 1 });
test("same", inWorld(async (world) => { vi.useFakeTimers(); await (${REFUSED})(world); }));
`;
    const { cwd, printed } = await runInProject("vitest", { "a.test.ts": two, "b.test.ts": another }, [
      path.join(modules, "vitest/vitest.mjs"),
      "run",
      "--testTimeout=30000",
    ]);
    expect(printed).toMatch(/4 failed.*1 passed.*1 expected fail/);
    const pages = listFiles(cwd).filter((file) => file.endsWith(".html"));
    expect(pages).toEqual([...Array.from({ length: 3 }, () => saved("same", "html")), saved("soft", "html")]);
    expect(listFiles(cwd)).toHaveLength(8);
  }, 60_000);

  test("in Jest's style: without a test context, with global hooks", async () => {
    const globals = `import { after, afterEach, test } from "node:test";
let currentTestName;
const asInJest = (name, body, timeout) => test(name, { timeout }, () => { currentTestName = name; return body(); });
Object.assign(globalThis, { test: asInJest, afterEach, afterAll: after, expect: { getState: () => ({ currentTestName }) } });
`;
    const file = `const { inWorld } = require("${PACKAGE}");
test("passes", inWorld(${CALLS}));
test("throws", inWorld(${REFUSED}));
test("too long", inWorld(async (world) => { await world.call("repairer", "businesses.list", {}); await new Promise((end) => setTimeout(end, 4_000)); }), 3_000);
`;
    const args = ["--import", "./globals.mjs", "--test-reporter=tap", "a.test.cjs"];
    const { cwd, printed } = await runInProject("jest", { "globals.mjs": globals, "a.test.cjs": file }, args);
    expect(printed).toMatch(/# pass 1\n# fail 1\n# cancelled 1/);
    expect(listFiles(cwd)).toEqual([...both("throws"), ...both("too-long")]);
  }, 60_000);

  test("in Playwright: in its output folder, which it empties, and in its report", async () => {
    const other = `import { test } from "node:test";\n${IMPORT}\ntest("other", inWorld(${REFUSED}));`;
    await runInProject("playwright", { "a.test.mjs": other }, ["--test"]);
    const file = `import { expect, test } from "${PACKAGE}/playwright";
test("passes", async ({ world }) => { await world.call("repairer", "businesses.list", {}); });
test("soft", async ({ world }) => { await world.call("repairer", "businesses.list", {}); expect.soft(1).toBe(2); });
test("expected", async ({ world }) => { test.fail(); await world.call("repairer", "repairer.jobs.get", { identity: {} }); });
`;
    const config = `export default { testMatch: "*.spec.ts" };`;
    const args = [path.join(modules, "@playwright/test/cli.js"), "test", "--reporter=line"];
    const { cwd, printed } = await runInProject(
      "playwright",
      { "a.spec.ts": file, "playwright.config.mjs": config },
      args,
    );
    expect(printed).toMatch(/1 failed[\s\S]*2 passed/);
    const files = readdirSync(path.join(cwd, "test-results/sandbox")).toSorted();
    expect(files).toEqual(both("soft"));
    for (const one of files) expect(printed).toContain(`${path.join("test-results", "sandbox", one)}\n`);
    // Those of another runner stay.
    expect(listFiles(cwd)).toEqual(both("other"));
  }, 60_000);
});

test.concurrent("prints one line if saving fails, and leaves the test results unchanged", async () => {
  const failing = `import { test } from "node:test";
${IMPORT}
test("no folder", inWorld(async () => { throw new Error("its own"); }));
test("stopped", inWorld(async (_world, sandbox) => { await sandbox.stop(); throw new Error("its own"); }));
`;
  const passing = `import { test } from "node:test";
${IMPORT}
test("passes", inWorld(async (_world, sandbox) => { await sandbox.stop(); }));
`;
  const files = { "a.test.mjs": failing, "b.test.mjs": passing, taken: "" };
  const args = ["--test", "--test-reporter=tap"];
  const { printed } = await runInProject("unsaved", files, args, { SANDBOX_TEST_RESULTS: "taken/here" });
  expect(printed).toMatch(/The calls of "no folder" were not saved: taken\/here can’t be written \(E\w+\)\./);
  expect(printed).toContain('The calls of "stopped" were not saved: the sandbox has stopped.');
  expect(printed.match(/error: 'its own'/g)).toHaveLength(2);
  expect(printed).toMatch(/# pass 1\n# fail 2/);
}, 60_000);

test.concurrent("keeps the last 20 failures and all unrelated files", async () => {
  const folder = path.join(scratch, "many", "kept");
  mkdirSync(folder, { recursive: true });
  for (let age = 1; age <= 25; age += 1)
    for (const extension of ["html", "reproduction"]) {
      const file = path.join(folder, `old-${String(age).padStart(8, "0")}.${extension}`);
      writeFileSync(file, "");
      utimesSync(file, 1_000_000 - age, 1_000_000 - age);
    }
  writeFileSync(path.join(folder, "notes.html"), "");
  const file = `import { startSandbox } from "${PACKAGE}";
const sandbox = await startSandbox();
const world = await sandbox.world();
await world.call("repairer", "businesses.list", {});
console.log(JSON.stringify(await world.save("newest", "kept")));
await sandbox.stop();
`;
  const { printed } = await runInProject("many", { "save.mjs": file }, ["save.mjs"]);
  expect(printed).toMatch(/^\["kept\W+newest-[0-9a-f]{8}\.html","kept\W+newest-[0-9a-f]{8}\.reproduction"\]$/m);
  const left = readdirSync(folder).toSorted();
  expect(left).toHaveLength(41);
  expect(left.slice(0, 2)).toEqual(both("newest"));
  expect(left.slice(2, 4)).toEqual(["notes.html", "old-00000001.html"]);
  expect(left.at(-1)).toBe("old-00000019.reproduction");
}, 60_000);
