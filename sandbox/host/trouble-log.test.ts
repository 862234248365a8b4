import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NotDurableError } from "../storage/writer.ts";
import { createLog } from "./service-log.ts";
import { troubleLog } from "./trouble-log.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const setUp = () => {
  const lines: string[] = [];
  return { lines, tell: troubleLog(createLog("pretty", (line) => lines.push(line))) };
};
const full = () => new Sqlite.SqliteError("database or disk is full", "SQLITE_FULL");

describe("what goes wrong behind the answers", () => {
  it("is one sentence of a disk that takes nothing, in whatever way it says so, and another only after a minute", () => {
    const { lines, tell } = setUp();
    const noSpace = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    for (const error of [full(), new NotDurableError(full()), noSpace]) tell(error);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/ERROR the disk takes nothing: .*free some space.* error=database or disk is full\n$/);
    vi.advanceTimersByTime(59_999);
    tell(full());
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(1);
    tell(noSpace);
    expect(lines).toHaveLength(2);
  });

  it("is said each time, with where it came from, of everything else", () => {
    const { lines, tell } = setUp();
    for (let count = 0; count < 2; count += 1) tell(new NotDurableError(new Error("a mistake")));
    tell(new Sqlite.SqliteError("no such table: jobs", "SQLITE_ERROR"));
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain("trouble-log.test.ts");
  });
});
