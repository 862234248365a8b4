import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "./children.mjs";
import { withLock } from "./lock.mjs";

let folder: string;
let file: string;
let waitedFor: number[];
const onWait = (pid: number): void => void waitedFor.push(pid);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "lock-"));
  file = path.join(folder, "deep/lock");
  waitedFor = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process id that nobody has any more. */
const deadPid = (): number => spawnSync(process.execPath, ["-e", "0"]).pid;

async function leaveLockOf(content: string): Promise<void> {
  await withLock(file, { onWait }, () => Promise.resolve());
  writeFileSync(file, content);
}

describe("the bootstrap's lock", () => {
  test("is there during the work, names its holder, and is gone afterwards", async () => {
    const during = await withLock(file, { onWait }, () => Promise.resolve(readFileSync(file, "utf8")));
    expect(during).toBe(`${process.pid}\n`);
    expect(existsSync(file)).toBe(false);
  });

  test("is gone after work that failed", async () => {
    await expect(withLock(file, { onWait }, () => Promise.reject(new Error("full disk")))).rejects.toThrow("full disk");
    expect(existsSync(file)).toBe(false);
  });

  test("lets one work at a time, and tells who has to wait whom for", async () => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await sleep(300);
      order.push(`${name} ends`);
    };
    await Promise.all([withLock(file, { onWait }, work("a")), withLock(file, { onWait }, work("b"))]);
    expect(order).toHaveLength(4);
    expect(order[1]).toBe(`${order[0]?.[0]} ends`);
    expect(waitedFor).toEqual([process.pid]);
  });

  test("of a dead process is taken over without waiting", async () => {
    await leaveLockOf(`${deadPid()}\n`);
    const began = performance.now();
    await withLock(file, { onWait }, () => Promise.resolve());
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(waitedFor).toEqual([]);
  });

  test("of a living process id that has shown no sign of life for a minute is taken over", async () => {
    await leaveLockOf(`${process.ppid}\n`);
    const longAgo = new Date(Date.now() - 61_000);
    utimesSync(file, longAgo, longAgo);
    await withLock(file, { onWait }, () => Promise.resolve());
    expect(existsSync(file)).toBe(false);
  });

  test("with this process's own id from an earlier life is taken over", async () => {
    await leaveLockOf(`${process.pid}\n`);
    await withLock(file, { onWait }, () => Promise.resolve());
    expect(existsSync(file)).toBe(false);
  });

  test("is never held twice by many processes that find a dead one's lock together", async () => {
    await leaveLockOf(`${deadPid()}\n`);
    const log = path.join(folder, "log");
    const script = `
      import { appendFileSync } from "node:fs";
      import { setTimeout as sleep } from "node:timers/promises";
      import { withLock } from ${JSON.stringify(pathToFileURL(path.resolve("build/lib/lock.mjs")).href)};
      await withLock(${JSON.stringify(file)}, { onWait() {} }, async () => {
        appendFileSync(${JSON.stringify(log)}, "in\\n");
        await sleep(30);
        appendFileSync(${JSON.stringify(log)}, "out\\n");
      });`;
    const contenders = Array.from({ length: 6 }, () =>
      run(process.execPath, ["--input-type=module", "-e", script], { cwd: process.cwd() }),
    );
    expect((await Promise.all(contenders)).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readFileSync(log, "utf8")).toBe("in\nout\n".repeat(6));
  });
});
