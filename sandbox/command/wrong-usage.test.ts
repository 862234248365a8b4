import { CommanderError } from "commander";
import { beforeEach, expect, test, vi } from "vitest";
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
    expect(printed.stderr).toMatch(/^error: .*SANDBOX_CONTROL_TOKEN or (pass )?--token-file/);
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
