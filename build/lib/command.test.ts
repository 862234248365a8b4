import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { nodeTooOld } from "./command.mjs";
import { isAlive } from "./lock.mjs";

test.each(["20.19.0", "20.20.2", "22.0.0", "24.21.0", "26.0.0"])("Node %s is new enough", (version) => {
  expect(nodeTooOld(version)).toBeNull();
});

test.each(["14.0.0", "18.20.4", "20.18.9"])("rejects Node %s and says how to fix it", (version) => {
  expect(nodeTooOld(version)).toMatch(new RegExp(`needs Node 20.19 or newer, and this is Node ${version}: install`));
});

const COMMAND = JSON.stringify(pathToFileURL(path.resolve("build/lib/command.mjs")).href);

/** A command like `npm start`, with a fake service. */
const commandAround = (service: string, options = "{ foreground: true, ownGroup: true }"): string => `
  import { run, runMain } from ${COMMAND};
  await runMain(async () => {
    const { status } = await run(process.execPath, ["-e", ${JSON.stringify(service)}], ${options});
    console.log("went on");
    return status;
  });`;

const READY = "console.log(process.pid);";

function start(script: string, program = process.execPath, args = ["--input-type=module", "-e", script], env = {}) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const pid = once(child.stdout, "data").then(([chunk]) => Number(chunk));
  const ended = once(child, "close").then(([code]) => ({ code: code as number, errors, output }));
  return { child, pid, ended };
}

test("a repeated stop signal reaches the service once and leaves no process", async () => {
  const { child, pid, ended } = start(
    commandAround(`
    let asked = 0;
    process.on("SIGINT", () => {
      asked += 1;
      setTimeout(() => { console.error("asked " + asked); process.exit(0); }, 300);
    });
    setInterval(() => {}, 1000);
    ${READY}`),
  );
  const service = await pid;
  child.kill("SIGINT");
  setTimeout(() => child.kill("SIGINT"), 50);
  expect(await ended).toMatchObject({ code: 0, errors: "asked 1\n" });
  expect(isAlive(service)).toBe(false);
});

test("a stop signal during an installation or a build ends both it and the command", async () => {
  const { child, pid, ended } = start(commandAround(`setInterval(() => {}, 1000); ${READY}`, "{}"));
  const tool = await pid;
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 143, errors: "", output: `${tool}\n` });
  expect(isAlive(tool)).toBe(false);
});

test("an unknown option prints one sentence and exits with 2", async () => {
  const script = `
    import { parseArgs } from "node:util";
    import { runMain } from ${COMMAND};
    await runMain(async () => Number(parseArgs({ args: ["--bogus"], options: {} })));`;
  expect(await start(script).ended).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^Unknown option '--bogus'.*\n$/),
  });
  const withoutValue = script.replace(
    `["--bogus"], options: {}`,
    `["--lines"], options: { lines: { type: "string" } }`,
  );
  expect(await start(withoutValue).ended).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^Option '--lines <value>' argument missing\n$/),
  });
  const bench = await start("", process.execPath, ["sandbox/bench/main.ts", "--bogus"]).ended;
  expect(bench).toMatchObject({ code: 2, errors: expect.stringMatching(/^Unknown option '--bogus'.*\n\nUsage: /) });
}, 60_000);

test("a failed start prints only the service's own reason and passes on its exit status", async () => {
  const { ended } = start(commandAround(`console.error("The port is taken."); process.exit(3);`));
  expect(await ended).toMatchObject({ code: 3, errors: "The port is taken.\n" });
});

test("the service is told when its command is killed", async () => {
  const service = `process.once("disconnect", () => process.exit(0)); setInterval(() => {}, 1000); ${READY}`;
  const { child, pid } = start(commandAround(service));
  const running = await pid;
  child.kill("SIGKILL");
  await expect.poll(() => isAlive(running), { timeout: 5_000 }).toBe(false);
});

test.skipIf(process.platform === "win32")("the service ends when npm's shell is killed", async () => {
  const service = `process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000); ${READY}`;
  const env = { npm_lifecycle_event: "start", NODE: process.execPath, COMMAND: commandAround(service) };
  const shell = ["-c", '"$NODE" --input-type=module -e "$COMMAND"; exit'];
  const { child, pid } = start("", "sh", shell, env);
  const running = await pid;
  child.kill("SIGKILL");
  await expect.poll(() => isAlive(running), { timeout: 5_000 }).toBe(false);
});
