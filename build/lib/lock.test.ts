import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withLock } from "./lock.mjs";

let root: string;
let file: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "lock-"));
  file = path.join(root, "out/.bootstrap.lock");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const leaveLockOf = (pid: number): void => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, `${pid}\n`);
};

test("the bootstrap's lock names its holder, and is released even if the work fails", async () => {
  expect(await withLock(root, () => Promise.resolve(readFileSync(file, "utf8")))).toBe(`${process.pid}\n`);
  expect(existsSync(file)).toBe(false);
  await expect(withLock(root, () => Promise.reject(new Error("full disk")))).rejects.toThrow("full disk");
  expect(existsSync(file)).toBe(false);
});

test("a stale lock with this process's own ID is taken over", async () => {
  leaveLockOf(process.pid);
  expect(await withLock(root, () => Promise.resolve("done"))).toBe("done");
});

test("processes that find a stale lock together take turns, and waiting ones name the holder", async () => {
  leaveLockOf(spawnSync(process.execPath, ["-e", "0"]).pid);
  const log = path.join(root, "log");
  const script = `
    import { appendFileSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    import { withLock } from ${JSON.stringify(pathToFileURL(path.resolve("build/lib/lock.mjs")).href)};
    await withLock(${JSON.stringify(root)}, async () => {
      appendFileSync(${JSON.stringify(log)}, "in\\n");
      await sleep(30);
      appendFileSync(${JSON.stringify(log)}, "out\\n");
    });`;
  const contenders = Array.from({ length: 4 }, async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    const [code] = await once(child, "close");
    return { code, errors };
  });
  const ended = await Promise.all(contenders);
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(ended.map(({ errors }) => errors).join("")).toMatch(/^Waiting for process \d+, which installs or builds here/);
  expect(readFileSync(log, "utf8")).toBe("in\nout\n".repeat(4));
});
