import fs from "node:fs";
import http, { type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../command/run.ts";
import { worldsList } from "../contract/control/world-operations.ts";
import { Scenario } from "../contract/scenario.ts";
import { startTestService, temporaryFolder, testConfig } from "../testing/harness.ts";
import { keepPrinted } from "../testing/printed.ts";
import { CommandProcess, serveCommand } from "../testing/process.ts";

const DOCS = path.join(import.meta.dirname, "..", "..", "docs", "scenarios");
const examples = fs
  .readdirSync(DOCS)
  .filter((name) => name.endsWith(".json"))
  .toSorted();

const stepsOf = (names: readonly string[]): number =>
  names.flatMap((name) => (JSON.parse(fs.readFileSync(path.join(DOCS, name), "utf8")) as Scenario).steps).length;

let folder = "";
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

let printed = { stdout: "", stderr: "" };
beforeEach(() => {
  printed = keepPrinted();
});

/** Runs the command in this process. @returns its exit status */
const runHere = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return run(args, () => testConfig(null)).finally(() => vi.unstubAllEnvs());
};
const list = { call: { operation: "businesses.list", as: "repairer" } };
const fileOf = (content: unknown): string => {
  const file = path.join(folder, "scenario.json");
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};
const scenario = (...steps: unknown[]): string => fileOf({ scenario: 1, name: "A test", steps });

describe("the documented scenarios", () => {
  test("number at least twelve", () => {
    expect(examples.length).toBeGreaterThanOrEqual(12);
  });

  test("pass with every step", async () => {
    const status = await runHere([DOCS]);
    expect(printed.stdout).not.toMatch(/^FAIL/m);
    expect([status, printed.stderr, printed.stdout.match(/^ok /gm)?.length]).toEqual([0, "", stepsOf(examples)]);
    expect(printed.stdout).toMatch(new RegExp(`\\n\\nAll ${examples.length} scenarios passed\\.\\n$`));
  }, 120_000);

  test("pass against a running second service, and leave no worlds there", async () => {
    const { service } = await serveCommand();
    onTestFinished(() => service.end());
    const { base_url: url, control_token: token } = service.ready;
    const some = examples.filter((_, nth) => nth % 4 === 0);
    const files = some.map((name) => path.join(DOCS, name));
    const status = await runHere([...files, "--url", url, "--token", token]);
    expect([status, printed.stderr, printed.stdout.match(/^ok /gm)?.length]).toEqual([0, "", stepsOf(some)]);
    expect(printed.stdout).toMatch(new RegExp(`\\n\\nAll ${some.length} scenarios passed\\.\\n$`));
    expect((await service.control(worldsList, {})).items.map(({ name }) => name)).toEqual(["default"]);
  }, 120_000);

  // Updated with `npm run unit -- --update=all sandbox/tests/run-command.test.ts`.
  test("match the declared schema", async () => {
    const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "Scenario", ...Scenario };
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      path.join(DOCS, "generated", "scenario.schema.json"),
    );
  });
});

describe("sandbox run", () => {
  test("exits with 1 at the first failed step", async () => {
    expect(await runHere([scenario({ ...list, expect: { status: 500 } }, list)])).toBe(1);
    expect(printed.stdout).toMatch(/^A test\nFAIL 1 .*\n.*\n.*expected {2}500\n.*actual {4}200\n/);
    expect(printed.stdout).toMatch(/\nA test: of 2 steps 0 passed, 1 failed, 1 did not run\.\n$/);
  });

  test("continues with the next file after a failed one, and lists it in every report", async () => {
    const several = fs.mkdtempSync(path.join(folder, "several-"));
    const write = (name: string, ...steps: unknown[]) =>
      fs.writeFileSync(path.join(several, name), JSON.stringify({ scenario: 1, name, steps }));
    write("a.json", { ...list, name: "<&>", decision: "D1", expect: { status: 500 } }, list);
    write("b.reproduction", list);
    fs.writeFileSync(path.join(several, "notes.txt"), "no scenario");
    expect(await runHere([several])).toBe(1);
    expect(printed.stdout).toMatch(/\nb\.reproduction: all 1 step passed\.\n\n1 of 2 scenarios failed: .*a\.json\.\n$/);
    printed.stdout = "";
    expect(
      await runHere([path.join(several, "a.json"), path.join(several, "b.reproduction"), "--reporter", "junit"]),
    ).toBe(1);
    expect(printed.stdout).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites .*tests="3" failures="1" errors="0"/,
    );
    expect(printed.stdout).toContain('name="1 &lt;&amp;&gt;"');
  });

  test("runs nothing if one file isn't a scenario, or a folder contains none", async () => {
    const file = scenario(list);
    const empty = fs.mkdtempSync(path.join(folder, "empty-"));
    expect([await runHere([file, empty]), printed.stdout]).toEqual([2, ""]);
    expect(printed.stderr).toMatch(
      /empty-\w+ isn’t a scenario: it is a folder without a \.json or \.reproduction file\n$/,
    );
  });

  test("exits with 2 for an invalid file, with a sentence on standard error", async () => {
    const bad: [why: RegExp, file: string][] = [
      [/isn’t a scenario: it isn’t valid JSON \(line 1, column 1\)\n$/, fileOf("key: secret")],
      [/^error: File not found: .*none\.json\n$/, path.join(folder, "none.json")],
    ];
    for (const [why, file] of bad) {
      printed.stderr = "";
      expect([await runHere([file]), printed.stdout]).toEqual([2, ""]);
      expect(printed.stderr).toMatch(why);
    }
    expect(await runHere([scenario({ ...list, exepct: {} })])).toBe(2);
    expect(printed.stderr).toMatch(/scenario: \/steps\/0\/exepct is not a known field; did you mean expect/);
  });

  test("refuses an invalid option and explains it", async () => {
    const file = scenario(list);
    const refused: [said: RegExp, ...args: string[]][] = [
      [/must be an http address, such as http:/, file, "--url", "sandbox"],
      [
        /^error: There is no token for http:\/\/127\.0\.0\.1:9\. Set .* or pass --token-file\.\n$/,
        file,
        "--url",
        "http://127.0.0.1:9",
      ],
      [/unknown option/, file, "--nonsense"],
      [/Allowed choices are text, junit/, file, "--reporter", "xml"],
      [/missing required argument 'files'/],
    ];
    for (const [said, ...args] of refused) {
      printed.stderr = "";
      await expect(runHere(args), args.join(" ")).rejects.toThrow();
      expect(printed.stderr).toMatch(said);
    }
    await expect(runHere(["--help"])).rejects.toMatchObject({ exitCode: 0 });
    expect(printed.stdout).toMatch(/Exit status: 0 if all steps passed/);
  });

  test("uses a running service from options or environment, with its token", async () => {
    const service = await startTestService();
    onTestFinished(() => service.end());
    const file = scenario({ call: { operation: "businesses.list" }, expect: { status: 401 } }, list);
    const { control_token: token } = service.ready;
    expect(await runHere([file, "--url", service.baseUrl, "--token", token])).toBe(0);
    expect(await runHere([file], { SANDBOX_BASE_URL: `${service.baseUrl}/`, SANDBOX_CONTROL_TOKEN: token })).toBe(0);
    printed.stdout = "";
    expect(await runHere([file, "--url", service.baseUrl, "--token", "wrong"])).toBe(2);
    expect(printed).toMatchObject({ stdout: "", stderr: expect.stringMatching(/rejects this control token/) });
    expect(await runHere([file, "--url", "http://127.0.0.1:9", "--token", "x"])).toBe(2);
    expect(printed.stdout).toBe("");
    expect(printed.stderr).toMatch(/error: No service responds at http:\/\/127\.0\.0\.1:9\./);
  });

  test("sends only calls to an address that isn't a sandbox, and names the assumption behind a difference", async () => {
    const seen: [path: string | undefined, headers: IncomingHttpHeaders, body: string][] = [];
    const deployed = http.createServer(async (request, response) => {
      seen.push([request.url, request.headers, await text(request)]);
      response.setHeader("content-type", "application/json").end('{"id": "j-1", "items": []}');
    });
    await new Promise<void>((listening) => deployed.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void deployed.close());
    const { port } = deployed.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const env = { SANDBOX_REPAIRER_API_KEY: "key", SANDBOX_REPAIRER_INTEGRATION_ID: "it" };
    const insert = {
      operation: "repairer.jobs.insert",
      as: "repairer",
      body: { identity: { external: "{{run.id}}" } },
    };
    const get = { operation: "repairer.jobs.get", as: "repairer", body: { identity: { id: "{{job.id}}" } } };
    const file = scenario(
      list,
      { call: insert, save: "job", decision: "D30", expect: { status: 422 } },
      { call: get, expect: { body: { id: "j-1" } } },
      { call: { ...list.call, as: "supplier" } },
      { control: { operation: "access-codes.issue" }, save: "code" },
      { call: { ...get, body: "{{code.access_code}}" } },
      { call: { route: "/__webhooks/sink" } },
      { receiver: { integration_id: "{{repairer.integration_id}}" } },
      { ...list, world: "other" },
      list,
      { control: { operation: "policies.set" } },
      list,
    );
    expect([await runHere([file, "--url", url, "--calls-only"], env), printed.stderr]).toEqual([1, ""]);
    expect(printed.stdout.match(/^(ok|FAIL|-) +\d+/gm)?.map((line) => line.replace(/ +/, " "))).toEqual([
      "ok 1",
      "FAIL 2",
      "ok 3",
      "- 4",
      "- 5",
      "- 6",
      "- 7",
      "- 8",
      "- 9",
      "ok 10",
      "- 11",
      "- 12",
    ]);
    for (const why of [
      "no credentials of the supplier are given",
      "it needs the control plane of a sandbox",
      "it is an extension of the sandbox",
      "it needs a receiver of a sandbox",
      "it needs a second world",
      "it follows step 11, which only a sandbox can run",
    ])
      expect(printed.stdout).toContain(why);
    expect(printed.stdout).toMatch(/A test: of 12 steps 3 passed, 1 failed, 8 did not run\.\n$/);
    expect(seen.map(([address]) => address)).toEqual(
      ["businesses.list", "repairer.jobs.insert", "repairer.jobs.get", "businesses.list"].map(
        (id) => `/api/2026-01/${id}`,
      ),
    );
    for (const [, headers] of seen) {
      expect(headers).toMatchObject({ authorization: "Bearer key", "service-integration-id": "it" });
      expect(Object.keys(headers).filter((name) => name.startsWith("x-sandbox"))).toEqual([]);
    }
    expect(seen[2]?.[2]).toBe('{"identity":{"id":"j-1"}}');
    printed.stdout = "";
    const agrees = path.join(folder, "agrees.json");
    fs.writeFileSync(agrees, JSON.stringify({ scenario: 1, name: "B", steps: [list, { ...list, world: "other" }] }));
    expect(await runHere([agrees, agrees, "--url", url, "--calls-only"], env)).toBe(0);
    expect(printed.stdout).toMatch(/\n\nAll steps that ran passed; 2 steps did not run\.\n$/);
    await expect(runHere([file, "--calls-only"])).rejects.toThrow(/--url/);
  });

  test("fails if no check passed, as without credentials at another address", async () => {
    const file = scenario(list);
    const nowhere = ["--url", "http://127.0.0.1:9", "--calls-only"];
    expect(await runHere([file, ...nowhere])).toBe(1);
    expect(printed.stdout).toMatch(/A test: no check passed: none of 1 step ran\.\n$/);
  });

  test.each(["text", "junit"])("prints no control characters of a terminal: %s", async (reporter) => {
    const evil = "\u001b[2J\u009b31m\u202e\u2028";
    const call = { operation: "repairer.jobs.get", as: "repairer", body: { identity: { external: evil } } };
    const file = fileOf({ scenario: 1, name: evil, steps: [{ name: evil, call, expect: { body: { a: evil } } }] });
    expect(await runHere([file, "--reporter", reporter])).toBe(1);
    expect(printed.stdout).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}]/u);
  });

  test("continues if its output is closed early", async () => {
    const file = scenario(...Array.from({ length: 40 }, () => list), { ...list, expect: { status: 404 } });
    const reading = new CommandProcess(["run", file], { SANDBOX_BASE_URL: "", SANDBOX_CONTROL_TOKEN: "" });
    reading.child.stdout?.once("data", () => reading.child.stdout?.destroy());
    expect(await reading.ended).toMatchObject({ status: 1, stdout: expect.stringMatching(/^A test/), stderr: "" });
  }, 60_000);

  test("runs under exec, by the name from the help", async () => {
    const file = scenario(list);
    const ended = await new CommandProcess(["exec", "--", "sandbox", "run", file], {}).ended;
    expect(ended).toMatchObject({ status: 0, stdout: expect.stringContaining("all 1 step passed") });
  }, 60_000);

  test("exits with the status", async () => {
    const env = { SANDBOX_BASE_URL: "", SANDBOX_CONTROL_TOKEN: "" };
    const file = scenario({ ...list, expect: { status: 404 } });
    const ended = await new CommandProcess(["run", file], env).ended;
    expect(ended).toMatchObject({ status: 1, stderr: "", stdout: expect.stringMatching(/^A test\nFAIL 1 /) });
  }, 60_000);
});
