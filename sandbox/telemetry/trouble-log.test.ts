import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NotDurableError } from "../storage/writer.ts";
import { createLog } from "./service-log.ts";
import { troubleLog } from "./trouble-log.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const setUp = () => {
  const lines: string[] = [];
  return { lines, report: troubleLog(createLog("pretty", (line) => lines.push(line))) };
};
const full = () => new Sqlite.SqliteError("database or disk is full", "SQLITE_FULL");

describe("background errors", () => {
  it("of a disk that accepts no writes are logged as one sentence a minute", () => {
    const { lines, report } = setUp();
    const noSpace = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    for (const error of [full(), new NotDurableError(full()), noSpace]) report(error);
    report(new NotDurableError(undefined, "Another machine has the world."));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/ERROR the disk accepts no writes: .*free some space.* error=database or disk is full\n$/);
    vi.advanceTimersByTime(59_999);
    report(full());
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(1);
    report(noSpace);
    expect(lines).toHaveLength(2);
  });

  it("of any other kind are logged each time, with their stack", () => {
    const { lines, report } = setUp();
    for (let count = 0; count < 2; count += 1) report(new NotDurableError(new Error("a mistake")));
    report(new Sqlite.SqliteError("no such table: jobs", "SQLITE_ERROR"));
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain("trouble-log.test.ts");
  });
});
