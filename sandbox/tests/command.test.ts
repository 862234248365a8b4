import { fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { wait } from "../command/wait.ts";
import { startService } from "../service.ts";
import { startTestService, temporaryFolder, testConfig } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";

const running: CommandProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((command) => command.kill("SIGKILL")));
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

const start = (...args: string[]): CommandProcess => {
  const command = new CommandProcess([...args, "--log", "silent"]);
  running.push(command);
  return command;
};

const newFolder = (): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
};

test("prints one ready line with the documented values, and stops with 0 on SIGTERM and SIGINT", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const data = newFolder();
    const readyFile = path.join(data, "..", `${path.basename(data)}-ready.json`);
    const command = start("--port", "0", "--data", data, "--ready-file", readyFile);
    const ready = await command.ready();
    expect(ready).toMatchObject({
      event: "ready",
      mode: "local",
      pid: command.child.pid,
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      explorer_url: `${ready.base_url}/#token=${ready.control_token}`,
      credentials: {
        repairer: { api_key: expect.stringMatching(/^sbx_/) },
        supplier: { api_key: expect.stringMatching(/^sbx_/) },
      },
      clients: { demo: { client_id: expect.any(String) }, no_oauth: { client_id: expect.any(String) } },
    });
    expect(JSON.parse(fs.readFileSync(readyFile, "utf8"))).toEqual(ready);
    expect((await fetch(`${ready.base_url}/__health`)).status).toBe(200);
    const ended = await command.kill(signal);
    expect(ended).toMatchObject({ status: 0, stderr: "" });
    expect(ended.stdout.trim().split("\n")).toHaveLength(1);
    expect(fs.existsSync(readyFile)).toBe(false);
    expect(fs.readdirSync(path.join(data, "worlds"))).toEqual(["w-default.sqlite"]);
  }
});

test("a signal before the ready line also stops it with 0", async () => {
  const started = performance.now();
  const first = new CommandProcess(["--port", "0", "--memory", "--log", "silent"]);
  await first.ready(60_000);
  const startMs = performance.now() - started;
  await first.kill("SIGTERM");
  // Waits until Node runs the program. Before that, a signal ends the process by default.
  for (const part of [0.6, 0.9]) {
    const signal = part === 0.6 ? "SIGINT" : "SIGTERM";
    const command = new CommandProcess(["--port", "0", "--memory", "--log", "silent"]);
    await new Promise((resolve) => setTimeout(resolve, startMs * part));
    const stays = setTimeout(() => command.child.kill("SIGKILL"), 30_000);
    const ended = await command.kill(signal);
    clearTimeout(stays);
    expect([ended.status, ended.signal, ended.stderr], `at ${part}`).toEqual([0, null, ""]);
  }
}, 120_000);

test("continues if its output is closed", async () => {
  const data = newFolder();
  const command = new CommandProcess(["--port", "0", "--data", data]);
  running.push(command);
  command.child.stdout?.destroy();
  command.child.stderr?.destroy();
  const readyFile = path.join(data, "service.json");
  await expect.poll(() => fs.existsSync(readyFile), { timeout: 20_000 }).toBe(true);
  const { base_url } = JSON.parse(fs.readFileSync(readyFile, "utf8")) as { readonly base_url: string };
  expect((await fetch(`${base_url}/__health`)).status).toBe(200);
  expect((await fetch(`${base_url}/__health`)).status).toBe(200);
  expect(await command.kill("SIGTERM")).toMatchObject({ status: 0, signal: null });
}, 60_000);

test("on a terminal prints the explorer's address on standard error, and with --greet after the ready line", async () => {
  const terminal = { NODE_OPTIONS: "--import=data:text/javascript,process.stderr.isTTY=true" };
  const args = ["--port", "0", "--memory", "--log", "silent"];
  for (const [command, hears] of [
    [new CommandProcess(args, terminal), "stderr"],
    [new CommandProcess([...args, "--greet"], terminal), "stdout"],
    [new CommandProcess(args), null],
  ] as const) {
    running.push(command);
    const { explorer_url, base_url } = await command.ready();
    const { stdout, stderr } = await command.kill("SIGTERM");
    const [line = "", ...rest] = stdout.split("\n");
    expect(JSON.parse(line)).toMatchObject({ base_url });
    const greeting = `
Integrations Explorer is running.

  explorer  ${explorer_url}
  service   ${base_url}

Ctrl-C stops it.
`;
    expect([rest.join("\n"), stderr]).toEqual([hears === "stdout" ? greeting : "", hears === "stderr" ? greeting : ""]);
  }
}, 60_000);

test("--memory leaves no files", async () => {
  const home = newFolder();
  const command = new CommandProcess(["--port", "0", "--memory", "--log", "silent"], { TMPDIR: home });
  running.push(command);
  await command.ready();
  expect(fs.readdirSync(home)).toHaveLength(1);
  await command.kill("SIGTERM");
  expect(fs.readdirSync(home)).toEqual([]);
});

test("options may come from the environment", async () => {
  const data = newFolder();
  const command = new CommandProcess([], { SANDBOX_PORT: "0", SANDBOX_DATA: data, SANDBOX_LOG: "silent" });
  running.push(command);
  expect((await command.ready()).base_url).not.toContain(":4026");
  expect(fs.existsSync(path.join(data, "service.json"))).toBe(true);
});

test("a bad option or command prints one sentence on standard error and exits with 2", async () => {
  const [option, command] = await Promise.all([["--nonsense"], ["wiat"]].map((args) => new CommandProcess(args).ended));
  expect(option).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(/unknown option/) });
  expect(option?.stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
  expect(command).toMatchObject({ status: 2, stderr: "error: unknown command wiat. Did you mean wait?\n" });
});

test.each([
  ["help", [], "--help"],
  ["help run", ["run"], "--help"],
  ["help token create", ["token", "create"], "--help"],
  ["help exec", ["exec"], "--help"],
])("%s prints the same as --help", async (asked, command, option) => {
  const [ended, byOption] = await Promise.all(
    [asked.split(" "), [...command, option]].map((args) => new CommandProcess(args).ended),
  );
  expect(ended).toMatchObject({ status: 0, stdout: byOption?.stdout, stderr: "" });
  expect(ended?.stdout).toContain(`Usage: ${["sandbox", ...command].join(" ")} `);
});

test("help for an unknown command is refused", async () => {
  const ended = await new CommandProcess(["help", "wiat"]).ended;
  expect(ended).toMatchObject({ status: 2, stderr: "error: unknown command wiat. Did you mean wait?\n" });
});

const failsWith = async (args: string[], sentence: RegExp): Promise<void> => {
  const ended = await start(...args).ended;
  expect(ended).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(sentence) });
  expect(ended.stderr.trim().split("\n")).toHaveLength(1);
};

/** Expects a start on a folder to fail with one sentence, as printed for a taken port. */
const refusesFolder = async (folder: string, sentence: RegExp): Promise<void> => {
  const message = await startService(testConfig(folder)).then(
    () => "it started",
    (error: Error) => error.message,
  );
  expect(message).toMatch(sentence);
  expect(message).not.toContain("\n");
};

test("a taken port prints one sentence and exits with 1", async () => {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await failsWith(["--port", String(port), "--data", newFolder()], /^Port \d+ on 127\.0\.0\.1 is in use .*--port/);
  server.close();
});

test("an unusable data folder prints one sentence and exits with 1", async () => {
  const file = path.join(newFolder(), "file");
  fs.writeFileSync(file, "");
  await failsWith(["--port", "0", "--data", file], /cannot be used .*--data/);
  await refusesFolder(path.join(file, "below"), /cannot be used .*--data/);
  if (process.platform === "linux") await refusesFolder("/proc/none/below", /cannot be used .*--data/);
});

test("a ready file that isn't writable prints one sentence and exits with 1", async () => {
  await failsWith(
    ["--port", "0", "--memory", "--ready-file", "/does/not/exist/ready.json"],
    /write the ready file .*--ready-file/,
  );
});

test("a ready file that a running service wrote is replaced with a sentence, a stale one silently", async () => {
  const readyFile = path.join(newFolder(), "ready.json");
  const serve = () => start("--port", "0", "--memory", "--ready-file", readyFile);
  const { base_url } = await serve().ready();
  const taking = serve();
  const { pid } = await taking.ready();
  await expect
    .poll(() => taking.stderr)
    .toBe(
      `The ready file ${readyFile} named the sandbox at ${base_url}, which still runs, and now names this one. Give each its own --ready-file.\n`,
    );
  expect(JSON.parse(fs.readFileSync(readyFile, "utf8"))).toMatchObject({ pid });
  await taking.kill("SIGKILL");
  const third = serve();
  await third.ready();
  expect(await third.kill("SIGTERM")).toMatchObject({ status: 0, stderr: "" });
});

test("a data folder in use names its service, and --join prints that one's ready line", async () => {
  const data = newFolder();
  const first = await start("--port", "0", "--data", data).ready();
  await failsWith(["--port", "0", "--data", data], new RegExp(`in use by the service at ${first.base_url}`));
  const joined = start("--port", "0", "--data", data, "--join");
  expect(await joined.ready()).toEqual(first);
  expect(await joined.ended).toMatchObject({ status: 0 });
  // `npm start` keeps a channel to the command that it starts.
  const again = fork(joined.child.spawnargs[1] ?? "", ["--port", "0", "--data", data, "--join"], { silent: true });
  onTestFinished(() => void again.kill("SIGKILL"));
  expect(await once(again, "exit")).toEqual([0, null]);
});

test("a service file of a newer version is refused and unchanged", async () => {
  const data = newFolder();
  await (await startTestService(data)).stop();
  const file = path.join(data, "service.sqlite");
  const db = new Sqlite(file);
  db.pragma("user_version = 999");
  db.close();
  const before = fs.readFileSync(file);
  await refusesFolder(data, /newer version of Integrations Explorer.*Update/);
  expect(fs.readFileSync(file).equals(before)).toBe(true);
});

test("a data folder of an earlier build is refused with a remedy and unchanged", async () => {
  const data = newFolder();
  const file = path.join(data, "service.sqlite");
  const db = new Sqlite(file);
  db.exec("CREATE TABLE worlds (name TEXT PRIMARY KEY); PRAGMA user_version = 2");
  db.close();
  const before = fs.readFileSync(file);
  await refusesFolder(data, /made by an earlier build .*--data, or move this one away\.$/);
  expect(fs.readFileSync(file).equals(before)).toBe(true);
  expect(fs.readdirSync(data)).toEqual(["service.sqlite"]);
});

test("a file that isn't a database prints one sentence and exits with 1", async () => {
  const data = newFolder();
  fs.writeFileSync(
    path.join(data, "service.sqlite"),
    "this is not a database, and long enough to be looked at".repeat(100),
  );
  await refusesFolder(data, /cannot be used .*not a database/);
});

const heard = (stream: NodeJS.WriteStream): string[] => {
  const texts: string[] = [];
  vi.spyOn(stream, "write").mockImplementation((text) => {
    texts.push(String(text));
    return true;
  });
  return texts;
};

test("wait exits with 0 when a service is ready, and with 1 and a sentence after a timeout", async () => {
  const { base_url } = await start("--port", "0", "--memory").ready();
  expect(await new CommandProcess(["wait", "--url", base_url]).ended).toMatchObject({
    ...{ status: 0, stdout: "", stderr: "" },
  });
  const kept = await startTestService();
  onTestFinished(() => kept.end());
  vi.stubEnv("SANDBOX_BASE_URL", base_url);
  expect(await wait([])).toBe(0);
  vi.unstubAllEnvs();
  expect(await wait(["--ready-file", path.join(kept.folder, "service.json")])).toBe(0);
  const said = heard(process.stderr);
  expect(await wait(["--url", "http://127.0.0.1:9", "--timeout", "0.2"])).toBe(1);
  expect(said.join("")).toMatch(/^No service was ready at http:/);
  expect(await wait(["--ready-file", "/nowhere/ready.json", "--timeout", "0.2"])).toBe(1);
  await expect(wait(["--timeout", "soon"])).rejects.toMatchObject({ exitCode: 1 });
});
