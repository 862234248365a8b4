import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../command/run.ts";
import { Scenario } from "../contract/scenario.ts";
import { startTestService, temporaryFolder, testConfig } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";

const DOCS = path.join(import.meta.dirname, "..", "..", "docs", "scenarios");
const examples = fs.readdirSync(DOCS).filter((name) => name.endsWith(".json"));

let folder = "";
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

let stdout = "";
let stderr = "";
beforeEach(() => {
  stdout = "";
  stderr = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
});

/** Runs the command in this process. @returns its exit status */
const runHere = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> =>
  run(args, env, () => testConfig(null));
const list = { call: { operation: "businesses.list", as: "repairer" } };
const fileOf = (content: unknown): string => {
  const file = path.join(folder, "scenario.json");
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};
const scenario = (...steps: unknown[]): string => fileOf({ scenario: 1, name: "A test", steps });

describe("the documented scenarios", () => {
  test("are twelve at least, so that the tests below run something", () => {
    expect(examples.length).toBeGreaterThanOrEqual(12);
  });

  test.each(examples)(
    "%s holds, step by step",
    async (name) => {
      const file = path.join(DOCS, name);
      const { steps } = JSON.parse(fs.readFileSync(file, "utf8")) as Scenario;
      expect([await runHere([file]), stderr]).toEqual([0, ""]);
      expect(stdout.match(/^ok /gm)).toHaveLength(steps.length);
      expect(stdout).toMatch(/: all \d+ steps held\.\n$/);
    },
    60_000,
  );

  // Written anew with `npm run unit -- --update=all sandbox/tests/run-command.test.ts`.
  test("have the schema that is declared", async () => {
    const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "Scenario", ...Scenario };
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      path.join(DOCS, "generated", "scenario.schema.json"),
    );
  });
});

describe("sandbox run", () => {
  test("ends with 1 at the first step that does not hold", async () => {
    expect(await runHere([scenario({ ...list, expect: { status: 500 } }, list)])).toBe(1);
    expect(stdout).toMatch(/^A test\nFAIL 1 .*\n.*\n.*expected {2}500\n.*got {7}200\n/);
    expect(stdout).toMatch(/\nA test: step 1 of 2 did not hold; what comes after it was not run\.\n$/);
  });

  test("ends with 2 for a file that is no scenario, with a sentence on standard error", async () => {
    const bad: [why: RegExp, file: string][] = [
      [/is no scenario: it is not JSON: it breaks off or goes wrong\n$/, fileOf("key: secret")],
      [/is no scenario: it cannot be read \(ENOENT\)/, path.join(folder, "none.json")],
    ];
    for (const [why, file] of bad) {
      stderr = "";
      expect([await runHere([file]), stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(why);
    }
    expect(await runHere([scenario({ ...list, exepct: {} })])).toBe(2);
    expect(stderr).toMatch(/scenario: \/steps\/0\/exepct is not known here; there are name, save/);
  });

  test("refuses an option that is none, and teaches", async () => {
    const file = scenario(list);
    const refused: [said: RegExp, ...args: string[]][] = [
      [/must be an http address/, file, "--url", "sandbox"],
      [/--token/, file, "--url", "http://127.0.0.1:9"],
      [/unknown option/, file, "--nonsense"],
      [/too many arguments/, file, file],
      [/missing required argument 'file'/],
    ];
    for (const [said, ...args] of refused) {
      stderr = "";
      await expect(runHere(args), args.join(" ")).rejects.toThrow();
      expect(stderr).toMatch(said);
    }
    await expect(runHere(["--help"])).rejects.toMatchObject({ exitCode: 0 });
    expect(stdout).toMatch(/Exit status: 0 when every step held/);
  });

  test("uses a running service that options or the environment name, with its token", async () => {
    const service = await startTestService();
    onTestFinished(() => service.end());
    const file = scenario({ call: { operation: "businesses.list" }, expect: { status: 401 } }, list);
    const { control_token: token } = service.ready;
    expect(await runHere([file, "--url", service.baseUrl, "--token", token])).toBe(0);
    expect(await runHere([file], { SANDBOX_BASE_URL: `${service.baseUrl}/`, SANDBOX_CONTROL_TOKEN: token })).toBe(0);
    expect(await runHere([file, "--url", service.baseUrl, "--token", "wrong"])).toBe(2);
    expect(stderr).toMatch(/does not accept this control token/);
    expect(await runHere([file, "--url", "http://127.0.0.1:9", "--token", "x"])).toBe(1);
    expect(stderr).toMatch(/error: No service answers at http:\/\/127\.0\.0\.1:9\./);
  });

  test("ends its process with the status", async () => {
    const env = { SANDBOX_BASE_URL: "", SANDBOX_CONTROL_TOKEN: "" };
    const file = scenario({ ...list, expect: { status: 404 } });
    const ended = await new CommandProcess(["run", file], env).ended;
    expect(ended).toMatchObject({ status: 1, stderr: "", stdout: expect.stringMatching(/^A test\nFAIL 1 /) });
  }, 60_000);
});
