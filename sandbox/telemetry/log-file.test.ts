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

describe("the stored log", () => {
  it("has its last lines, newest first, and an error's stack", () => {
    const { kept, log } = setUp();
    log.info("listening", { address: "http://127.0.0.1:4026" });
    log.error("background work failed", new Error("no such table"));
    expect(kept.last(10)).toMatchObject([
      { level: "error", message: "background work failed", detail: expect.stringContaining("log-file.test.ts") },
      { level: "info", message: "listening", detail: "address: http://127.0.0.1:4026" },
    ]);
    expect(kept.last(1)).toHaveLength(1);
  });

  it("is bounded by dropping the older half", () => {
    const { folder, kept, log } = setUp();
    for (let line = 0; line < 3_000; line += 1) log.info("x".repeat(600), { line });
    const bytes = fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(1.2 * 1024 * 1024);
    expect(kept.last(1)[0]?.detail).toBe("line: 2999");
  });

  it("skips a line cut short by a crash and continues", () => {
    const { kept, log } = setUp();
    log.info("one");
    fs.appendFileSync(kept.file, '{"time":"2026-\n');
    log.info("two");
    expect(kept.last(10).map(({ message }) => message)).toEqual(["two", "one"]);
  });

  it("never throws when it is written to", () => {
    const { folder, kept, log } = setUp();
    fs.rmSync(folder, { recursive: true });
    expect(() => log.info("lost")).not.toThrow();
    expect(kept.last(10)).toEqual([]);
  });

  it("is deleted when cleared", () => {
    const { folder, kept, log } = setUp();
    for (let line = 0; line < 2_000; line += 1) log.info("x".repeat(600));
    kept.clear();
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
