import http from "node:http";
import type { AddressInfo } from "node:net";
import { CommanderError } from "commander";
import { beforeEach, describe, expect, it, test, vi } from "vitest";
import { UNUSED_ID } from "../contract/values.ts";
import { testConfig } from "../testing/harness.ts";
import { keepPrinted } from "../testing/printed.ts";
import { activity } from "./activity.ts";
import { listen } from "./listen.ts";
import { nodes } from "./nodes.ts";
import { run } from "./run.ts";
import { tail } from "./tail.ts";
import { token } from "./token.ts";
import { wait } from "./wait.ts";

/** Hides the machine's own services. */
const NOBODY = {
  ...{ SANDBOX_BASE_URL: "", SANDBOX_CONTROL_TOKEN: "", SANDBOX_READY_FILE: "" },
  SANDBOX_DATA: "/nowhere/at-all",
};

// Signals that end a command would end these tests too.
beforeEach(() => {
  vi.spyOn(process, "once").mockReturnThis();
  for (const [name, value] of Object.entries(NOBODY)) vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});

/** The status with which the command ends. */
const statusOf = (ended: Promise<number>): Promise<number> =>
  ended.catch((error: unknown) => {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  });

const commands: readonly (readonly [string, (argv: readonly string[]) => Promise<number>, readonly string[]])[] = [
  ["activity", activity, []],
  ["listen", listen, ["--forward-to", "http://127.0.0.1:9/"]],
  ["nodes", nodes, []],
  ["nodes drain", nodes, ["drain", UNUSED_ID]],
  ["run", (argv) => run(argv, () => testConfig(null)), ["my.json"]],
  ["tail", tail, []],
  ["tail --follow", tail, ["--follow"]],
  ["token create", token, ["create", "--world", "one", "--name", "A"]],
  ["token list", token, ["list"]],
];

test.each(commands)(
  "%s ends with 2 for an address without a token, and says what is missing",
  async (_, command, args) => {
    const printed = keepPrinted();
    expect(await statusOf(command([...args, "--url", "http://127.0.0.1:9"]))).toBe(2);
    expect(printed.stdout).toBe("");
    expect(printed.stderr).toMatch(/^error: .*SANDBOX_CONTROL_TOKEN .*or pass --token-file\.\n$/);
  },
);

test.each([...commands, ["wait", wait, []] as const])(
  "%s ends with 2 for an invalid address and for an unknown option",
  async (_, command, args) => {
    keepPrinted();
    expect(await statusOf(command([...args, "--url", "sandbox"]))).toBe(2);
    expect(await statusOf(command([...args, "--nonsense"]))).toBe(2);
  },
);

describe("an address where something else answers", () => {
  const answers = [
    ["a page", "text/html", "<!doctype html><title>Sign in</title>"],
    ["other JSON", "application/json", '{"status":"up"}'],
    ["a JSON list", "application/json", "[]"],
  ] as const;
  const withToken = [...commands, ["wait", wait, []] as const].map(
    ([name, command, args]): (typeof commands)[number] => [
      name,
      command,
      args.map((arg) => (arg === "my.json" ? "docs/scenarios/rate-limit.json" : arg)),
    ],
  );
  it.each(answers.flatMap((answer) => withToken.map((command) => [command[0], answer[0], command, answer] as const)))(
    "%s ends with 2 and one sentence for %s",
    async (_, __, [, command, args], [, type, text]) => {
      const server = http.createServer((__, response) => response.writeHead(200, { "content-type": type }).end(text));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      vi.stubEnv("SANDBOX_CONTROL_TOKEN", "x");
      const printed = keepPrinted();
      const status = await statusOf(command([...args, "--url", url])).finally(() => server.close());
      expect([status, printed.stdout]).toEqual([2, ""]);
      expect(printed.stderr).toMatch(
        new RegExp(`^error: The server at ${url} isn’t a sandbox: it answered 200 without .+\\. Check --url\\.\\n$`),
      );
    },
  );
});
