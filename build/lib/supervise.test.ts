import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { isAlive } from "./lock.mjs";
import { parseReadyLine } from "./supervise.mjs";

const lib = (name: string): string => JSON.stringify(pathToFileURL(path.resolve("build/lib", name)).href);

/** A command as `npm start` is one, around a stand-in for the service. */
const commandAround = (service: string): string => `
  import { runMain } from ${lib("main.mjs")};
  import { superviseService } from ${lib("supervise.mjs")};
  const args = ["--input-type=module", "-e", ${JSON.stringify(service)}];
  await runMain(() =>
    superviseService({ program: process.execPath, args, cwd: process.cwd(), env: process.env }, (ready, joined) => {
      console.log(JSON.stringify({ ...ready, joined }));
    }),
  );`;

const READY = `console.log(JSON.stringify({ event: "ready", base_url: "b", explorer_url: "e", pid: process.pid }));`;

function start(service: string) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", commandAround(service)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ready = once(child.stdout, "data").then(
    ([chunk]) => JSON.parse(String(chunk)) as { pid: number; joined: boolean },
  );
  const ended = once(child, "close").then(([code]) => ({ code: code as number, errors }));
  return { child, ready, ended };
}

test("a request to stop reaches the service once, however often it is made, and leaves no process", async () => {
  const { child, ready, ended } = start(`
    let asked = 0;
    process.on("SIGINT", () => {
      asked += 1;
      setTimeout(() => { console.error("asked " + asked); process.exit(0); }, 300);
    });
    setInterval(() => {}, 1000);
    ${READY}`);
  const { pid } = await ready;
  child.kill("SIGINT");
  setTimeout(() => child.kill("SIGINT"), 50);
  expect(await ended).toEqual({ code: 0, errors: "asked 1\n" });
  expect(isAlive(pid)).toBe(false);
});

test("a service that ends by itself gives the command its exit status", async () => {
  const { ready, ended } = start(`${READY} setTimeout(() => process.exit(3), 100);`);
  expect((await ready).joined).toBe(false);
  expect((await ended).code).toBe(3);
});

test("a service that cannot start has said why itself", async () => {
  const { ended } = start(`console.error("The port is taken."); process.exit(1);`);
  expect(await ended).toEqual({ code: 1, errors: "The port is taken.\n" });
});

test("a service that is running already is joined: its address, exit status 0", async () => {
  const { ready, ended } = start(READY.replace("process.pid", "1"));
  expect(await ready).toMatchObject({ pid: 1, joined: true });
  expect(await ended).toEqual({ code: 0, errors: "" });
});

test("only a ready line is taken for one", () => {
  expect(parseReadyLine("listening on 4026")).toBeNull();
  expect(parseReadyLine('{"event":"started"}')).toBeNull();
  expect(parseReadyLine('{"event":"ready","explorer_url":"e"}')).not.toBeNull();
});

test.skipIf(process.platform === "win32")(
  "the service ends when the shell that npm put in between is killed",
  async () => {
    const service = `process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000); ${READY}`;
    const env = {
      ...process.env,
      npm_lifecycle_event: "start",
      NODE: process.execPath,
      COMMAND: commandAround(service),
    };
    const shell = spawn("sh", ["-c", '"$NODE" --input-type=module -e "$COMMAND"; exit'], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [chunk] = await once(shell.stdout, "data");
    const { pid } = JSON.parse(String(chunk)) as { pid: number };
    shell.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  },
);
