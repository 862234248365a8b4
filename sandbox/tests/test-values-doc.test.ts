import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TEST_PREFIX, testValueNames, testValues } from "../contract/test-values.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { requireCommand } from "../testing/verification-snippets.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
const DOCS = path.join(ROOT, "docs", "test-values");

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const rowsIn = (file: string): string[][] =>
  [...fs.readFileSync(file, "utf8").matchAll(/^\| (`test:.+) \|$/gm)].map(([, row = ""]) => row.split(" | "));
const declared = testValueNames.map((name) => {
  const { examples, outcome, takes } = testValues[name];
  const [first, ...more] = examples;
  return [[`\`${TEST_PREFIX}${name}=${first}\``, ...more.map((one) => `\`${one}\``)].join(", "), outcome, takes];
});

test("the help and the package's page list every test value as declared", () => {
  expect(rowsIn(path.join(DOCS, "README.md"))).toEqual(declared);
  expect(rowsIn(path.join(ROOT, "build", "npm", "README.md"))).toEqual(declared.map((row) => row.slice(0, 2)));
});

/** Runs a test of the page against the service, with a buyer's key only. */
const passes = async (command: string, ...args: readonly string[]): Promise<void> => {
  const env = {
    PATH: process.env.PATH,
    SANDBOX_BASE_URL: service.baseUrl,
    SANDBOX_REPAIRER_API_KEY: repairer.api_key,
    SANDBOX_REPAIRER_INTEGRATION_ID: repairer.integration_id,
  };
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: DOCS, env });
  expect(stdout + stderr).toMatch(/# tests 2|tests 2|Ran 2 tests/);
};

test("the page's Node test covers order, confirmation and a 429 without the control token", () =>
  passes(process.execPath, "--test", "order-test.mjs"));

test("the page's Python test covers the same", (context) =>
  passes(requireCommand(context, ["python3"]), "-B", "order_test.py"));
