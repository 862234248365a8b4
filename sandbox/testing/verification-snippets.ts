import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, type TestContext } from "vitest";
import { environment } from "../config.ts";
import { subscriptionsList } from "../contract/control/operations.ts";
import { drillsRunAll } from "../contract/control/receiver-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { signBody, verifyNotification } from "../secrets/webhook-signature.ts";
import { repairer, startTestService, temporaryFolder } from "./harness.ts";
import { RecordingReceiver } from "./recording-receiver.ts";

/** Folder of the snippets and their drivers. */
export const SNIPPETS = path.join(import.meta.dirname, "..", "..", "docs", "verify-a-webhook");
export const DRIVERS = path.join(import.meta.dirname, "snippet-drivers");
const { integration_id: INTEGRATION, webhook_secret: SECRET } = fixedCredentials.repairer;
const MINUTE = 60_000;

interface Case {
  readonly body: Buffer;
  readonly header: string | null;
  readonly now: number;
}

/** The service's own notifications: a normal one, and each drill. */
const realCases = async (): Promise<Case[]> => {
  const service = await startTestService();
  const hooks = await RecordingReceiver.start();
  try {
    await service.post("/__webhooks/subscribe", { integration_id: INTEGRATION, url: hooks.url });
    const { items } = await service.ok(businessesList, {}, repairer);
    const site = items.find((one) => one.type === "repairer_site")?.id ?? "";
    await service.ok(jobsInsert, { identity: { external: "snippets" }, repairer_site_id: site }, repairer);
    await hooks.waitFor(1);
    const [subscription] = (await service.control(subscriptionsList, {})).items;
    await service.control(drillsRunAll, { subscription_id: subscription?.id ?? "" });
    return hooks.received.map(({ body, headers, at }) => {
      const header = headers[SIGNATURE_HEADER];
      return { body, header: typeof header === "string" ? header : null, now: at };
    });
  } finally {
    await hooks.stop();
    await service.end();
  }
};

/** Edge cases that no service sends, derived from a real notification. */
const edgeCases = (real: Buffer): Case[] => {
  const envelope = JSON.parse(real.toString("utf8")) as Record<string, unknown>;
  const now = Date.UTC(2026, 0, 15, 12, 0, 0, 7);
  const stamp = new Date(now).toISOString();
  const signed = (changes: object, at = now): Case => {
    const body = Buffer.from(JSON.stringify({ ...envelope, webhook_timestamp: stamp, ...changes }));
    return { body, header: signBody(body, SECRET), now: at };
  };
  const good = signed({});
  const signature = good.header ?? "";
  const withHeader = (header: string | null): Case => ({ ...good, header });
  const raw = (text: string): Case => {
    const body = Buffer.from(text);
    return { body, header: signBody(body, SECRET), now };
  };
  return [
    good,
    signed({ payload: { note: "Müller 😀 \u2028" } }),
    ...[5 * MINUTE, 5 * MINUTE + 1, -5 * MINUTE, -5 * MINUTE - 1].map((apart) => signed({}, now + apart)),
    ...["2026-01-15T12:00:00Z", "2026-01-15T14:00:00.007+02:00"].map((webhook_timestamp) =>
      signed({ webhook_timestamp }),
    ),
    ...["", "1", "not a time", "yesterday", "12:00", now, null, {}].map((webhook_timestamp) =>
      signed({ webhook_timestamp }),
    ),
    withHeader(null),
    withHeader(Buffer.from(signature, "base64").toString("hex")),
    withHeader(signature.slice(0, -1)),
    withHeader(signature.replaceAll("+", "-").replaceAll("/", "_").replace(/^./, "-")),
    withHeader(signature.slice(0, 20)),
    withHeader("!"),
    // The same JSON with other bytes, as after parsing and serializing.
    { ...good, body: Buffer.from(JSON.stringify(JSON.parse(good.body.toString("utf8")), null, 2)) },
    signed({ integration_id: "5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f" }),
    ...[undefined, null, 7, [INTEGRATION]].map((integration_id) => signed({ integration_id })),
    ...["", "no json", "null", "[]", `"${INTEGRATION}"`, "[".repeat(20_000)].map(raw),
  ];
};

let cases: readonly Case[] = [];
let expected: readonly string[] = [];
const built = temporaryFolder();

/** Creates the notifications before a file's tests, and removes the builds afterwards. */
export const prepareCases = (): void => {
  beforeAll(async () => {
    const real = await realCases();
    cases = [...real, ...edgeCases(real[0]?.body ?? Buffer.alloc(0))];
    expected = cases.map(({ body, header, now }) => {
      const field = /"integration_id"\s*:\s*"([^"]*)"/.exec(body.toString("utf8"))?.[1];
      return verifyNotification({ body, header, secret: field === INTEGRATION ? SECRET : null, now }).reason ?? "ok";
    });
  });
  afterAll(() => fs.rmSync(built, { recursive: true, force: true }));
};

/** Returns the service's verdict for each case. */
export const verdicts = (): readonly string[] => expected;

export const run = (
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string } = {},
) =>
  spawnSync(command, args, {
    encoding: "utf8",
    timeout: 100_000,
    // Nothing is downloaded: neither a toolchain nor a package.
    env: {
      ...environment(),
      GOTOOLCHAIN: "local",
      GOFLAGS: "-mod=mod",
      GOPROXY: "off",
      DOTNET_CLI_TELEMETRY_OPTOUT: "1",
    },
    ...options,
  });

/** Returns the first command that runs on this machine, or the reason why none does. */
const findCommand = (
  commands: readonly string[],
  argument: string,
): { readonly command: string } | { readonly why: string } => {
  for (const command of commands) if (run(command, [argument]).status === 0) return { command };
  return { why: `${commands.join(" or ")} is not on this machine, so its snippet was not run` };
};

/** Skips the test when a language is not installed, and prints the reason. */
export const requireCommand = (context: TestContext, commands: readonly string[], argument = "--version"): string => {
  const runtime = findCommand(commands, argument);
  if ("command" in runtime) return runtime.command;
  process.stdout.write(`skipped: ${runtime.why}\n`);
  return context.skip(runtime.why);
};

/** Creates a folder with copies of files, or with these texts. */
export const createFolder = (name: string, files: Readonly<Record<string, string>>): string => {
  const folder = path.join(built, name);
  for (const [to, from] of Object.entries(files)) {
    const target = path.join(folder, to);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    if (path.isAbsolute(from)) fs.copyFileSync(from, target);
    else fs.writeFileSync(target, from);
  }
  return folder;
};
/** @throws with the output when the program fails */
export const succeed = (command: string, args: readonly string[], cwd: string): void => {
  const { status, stdout, stderr, error } = run(command, args, { cwd });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stdout}${stderr}${error?.message ?? ""}`);
};

/** Passes every case to a driver and compares its output, line by line, with the service's verdicts. */
export const expectVerdicts = (command: string, args: readonly string[], cwd = built): void => {
  const input = cases.map(({ body, header, now }) => `${body.toString("base64")}\t${header ?? "-"}\t${now}\n`).join("");
  const { stdout, stderr } = run(command, [...args, INTEGRATION, SECRET], { cwd, input });
  const found = stdout.trim().split(/\r?\n/);
  const described = (reasons: readonly string[]) =>
    reasons.map((reason, index) => `${reason}: ${cases[index]?.body.toString("utf8").slice(0, 300)}`);
  expect(described(found), stderr).toEqual(described(expected));
};
