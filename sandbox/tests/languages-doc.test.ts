import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment } from "../config.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { startTestService, type TestService, temporaryFolder } from "../testing/harness.ts";
import { requireCommand, run } from "../testing/verification-snippets.ts";

const DOCS = path.join(import.meta.dirname, "..", "..", "docs");
const PAGE = path.join(DOCS, "test-from-other-languages");
const FUNCTIONS = path.join(DOCS, "verify-a-webhook");
const { api_key, integration_id, webhook_secret } = fixedCredentials.repairer;
const GENUINE = /^Order [0-9a-f-]{36} is confirmed, and its webhook is verified\.$/m;

/** Folder layout of the page: the program and the verifying function. */
const folder = temporaryFolder();
let service: TestService;
beforeAll(async () => {
  for (const from of [PAGE, FUNCTIONS]) fs.cpSync(from, folder, { recursive: true });
  service = await startTestService();
});
afterAll(async () => {
  await service.end();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Output of a program, whether or not it succeeds. @param settings replaces the variables that `exec` sets */
const printedBy = async (command: string, args: readonly string[], settings: NodeJS.ProcessEnv = {}) => {
  const env = {
    ...environment(),
    SANDBOX_BASE_URL: service.baseUrl,
    SANDBOX_REPAIRER_API_KEY: api_key,
    SANDBOX_REPAIRER_INTEGRATION_ID: integration_id,
    SANDBOX_REPAIRER_WEBHOOK_SECRET: webhook_secret,
    ...settings,
  };
  return promisify(execFile)(command, args, { cwd: folder, env }).then(
    ({ stdout }) => ({ succeeded: true, printed: stdout }),
    ({ stdout, stderr }) => ({ succeeded: false, printed: `${stdout}${stderr}` }),
  );
};

/** Runs a program under `exec`, beside a container (other host name, all interfaces), and with a forged webhook. */
const passes = async (command: string, args: readonly string[]): Promise<void> => {
  const outcomes = await Promise.all(
    [{}, { RECEIVER_HOST: "localhost" }, { SANDBOX_REPAIRER_WEBHOOK_SECRET: "another" }].map((settings) =>
      printedBy(command, args, settings),
    ),
  );
  expect(outcomes).toEqual([
    { succeeded: true, printed: expect.stringMatching(GENUINE) },
    { succeeded: true, printed: expect.stringMatching(GENUINE) },
    // A forged webhook ends the program at once, without waiting for the confirmation.
    { succeeded: false, printed: expect.stringMatching(/^(?!.*No confirmation).*refused: bad_signature/s) },
  ]);
};

test(
  "Python orders a part and verifies its webhook",
  (context) => passes(requireCommand(context, ["python3", "python"]), ["-B", "order.py"]),
  60_000,
);

test("Java orders a part and verifies its webhook", (context) => {
  const javac = requireCommand(context, ["javac"], "-version");
  expect(run(javac, ["-encoding", "UTF-8", "Order.java", "VerifyWebhook.java"], { cwd: folder }).stderr).toBe("");
  return passes("java", ["Order"]);
}, 120_000);

test("C# orders a part and verifies its webhook", (context) => {
  const dotnet = requireCommand(context, ["dotnet"]);
  const version = run(dotnet, ["--version"]).stdout.split(".")[0] ?? "10";
  const page = fs.readFileSync(path.join(PAGE, "README.md"), "utf8");
  const project = /<!-- file: order\.csproj -->\n```xml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  fs.writeFileSync(path.join(folder, "order.csproj"), project.replace("net10.0", `net${version}.0`));
  const built = run(dotnet, ["build", "--output", "built"], { cwd: folder });
  expect(built.status, built.stdout).toBe(0);
  return passes(dotnet, [path.join("built", "order.dll")]);
}, 120_000);

test(
  "PHP orders a part and verifies its webhook",
  (context) => passes(requireCommand(context, ["php"]), ["order.php"]),
  60_000,
);

test(
  "Bun orders a part and verifies its webhook",
  (context) => passes(requireCommand(context, ["bun"]), ["order.mjs"]),
  60_000,
);

test(
  "Node orders a part and verifies its webhook, with the same program",
  () => passes(process.execPath, ["order.mjs"]),
  60_000,
);

test("the page contains the keys of a sandbox in a container", () => {
  const page = fs.readFileSync(path.join(PAGE, "README.md"), "utf8");
  const keys = [`API_KEY=${api_key}`, `INTEGRATION_ID=${integration_id}`, `WEBHOOK_SECRET=${webhook_secret}`];
  for (const key of keys) expect(page).toContain(`SANDBOX_REPAIRER_${key}\n`);
});
