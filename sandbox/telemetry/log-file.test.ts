import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { LogFile } from "./log-file.ts";
import { createLog } from "./service-log.ts";

const setUp = () => {
  const folder = temporaryFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const kept = new LogFile(folder);
  return { folder, kept, log: createLog("json", kept.write) };
};

describe("the log that is kept", () => {
  it("has its last lines, newest first, an error with where it came from", () => {
    const { kept, log } = setUp();
    log.info("listening", { address: "http://127.0.0.1:4026" });
    log.error("background work failed", new Error("no such table"));
    expect(kept.last(10)).toMatchObject([
      { level: "error", message: "background work failed", detail: expect.stringContaining("log-file.test.ts") },
      { level: "info", message: "listening", detail: "address: http://127.0.0.1:4026" },
    ]);
    expect(kept.last(1)).toHaveLength(1);
  });

  it("is bounded: of what is too much the older half goes", () => {
    const { folder, kept, log } = setUp();
    for (let line = 0; line < 3_000; line += 1) log.info("x".repeat(600), { line });
    const bytes = fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(1.2 * 1024 * 1024);
    expect(kept.last(1)[0]?.detail).toBe("line: 2999");
  });

  it("passes over a line that a crash cut short, and goes on after it", () => {
    const { kept, log } = setUp();
    log.info("one");
    fs.appendFileSync(kept.file, '{"time":"2026-\n');
    log.info("two");
    expect(kept.last(10).map(({ message }) => message)).toEqual(["two", "one"]);
  });

  it("never fails whoever writes to it", () => {
    const { folder, kept, log } = setUp();
    fs.rmSync(folder, { recursive: true });
    expect(() => log.info("lost")).not.toThrow();
    expect(kept.last(10)).toEqual([]);
  });

  it("is gone when it is cleared", () => {
    const { folder, kept, log } = setUp();
    for (let line = 0; line < 2_000; line += 1) log.info("x".repeat(600));
    kept.clear();
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
