import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";

const POLLING = { timeout: 10_000 };

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** The command of a clone, which starts the service in a process of its own. */
const CLONE_COMMAND = path.join(import.meta.dirname, "../../build/sandbox.mjs");

const start = (...args: readonly string[]): CommandProcess => startOf(undefined, ...args);
const startOf = (cli: string | undefined, ...args: readonly string[]): CommandProcess => {
  const command = new CommandProcess(args, { TMPDIR: folder, TEMP: folder }, cli);
  onTestFinished(async () => void (await command.kill("SIGKILL")));
  return command;
};
const serve = (): CommandProcess => start("--memory", "--port", "0", "--log", "silent");
/** Process IDs of the existing temporary data folders. */
const owners = (): number[] =>
  fs
    .readdirSync(folder)
    .flatMap((name) => /^integrations-sandbox-(\d+)-/.exec(name)?.[1] ?? [])
    .map(Number);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a start deletes only the temporary data of killed services", async () => {
  const [killed, running] = [serve(), serve()];
  await killed.ready();
  const { base_url } = await running.ready();
  await killed.kill("SIGKILL");
  // Two folders that must not be deleted: one with a foreign name, and one of an unknown process that is in use.
  fs.mkdirSync(path.join(folder, "integrations-sandbox-mine"));
  const [own = ""] = fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(`integrations-sandbox-${running.child.pid}-`));
  const elsewhere = path.join(folder, "integrations-sandbox-99999999-elsewhere");
  fs.symlinkSync(path.join(folder, own), elsewhere, "junction");
  expect(owners()).toContain(killed.child.pid);

  const next = serve();
  await next.ready();
  await expect.poll(owners, POLLING).not.toContain(killed.child.pid);
  expect(owners()).toEqual(expect.arrayContaining([running.child.pid, next.child.pid]));
  expect(fs.existsSync(path.join(folder, "integrations-sandbox-mine"))).toBe(true);
  expect(fs.existsSync(elsewhere)).toBe(true);
  expect((await fetch(`${base_url}/__health`)).status).toBe(200);
  await next.kill("SIGTERM");
  // Windows doesn't signal programs to stop.
  if (process.platform !== "win32") expect(owners()).not.toContain(next.child.pid);
});

test.skipIf(process.platform === "win32").each([
  { of: "the package", cli: undefined },
  { of: "a clone", cli: CLONE_COMMAND },
])("a killed exec of $of ends all that its command started, and no other exec's", async ({ cli }) => {
  const waiting = ["exec", "--", "sh", "-c", "sleep 300 & echo $!; wait"];
  const [killed, other] = [startOf(cli, ...waiting), start(...waiting)];
  const pidOf = async (command: CommandProcess): Promise<number> => {
    await expect.poll(() => command.stdout, POLLING).toMatch(/^\d+\n/);
    return Number(command.stdout);
  };
  const [child, others] = [await pidOf(killed), await pidOf(other)];
  await killed.kill("SIGKILL");
  await expect.poll(() => isAlive(child), POLLING).toBe(false);
  expect(isAlive(others)).toBe(true);
  process.kill(others);
  expect(await other.ended).toMatchObject({ status: 0 });
});
