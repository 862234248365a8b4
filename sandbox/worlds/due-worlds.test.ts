import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ServiceDatabase } from "../storage/service-database.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { DueWorlds } from "./due-worlds.ts";

const START = Date.UTC(2026, 0, 15, 12);
const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: START }));
afterEach(() => void vi.useRealTimers());

const newFile = (): string => path.join(fs.mkdtempSync(path.join(folder, "service-")), "service.sqlite");
const begin = (file = newFile()) => {
  const service = new ServiceDatabase(file);
  const opened: string[] = [];
  const troubled = vi.fn();
  const open = vi.fn((name: string) => void opened.push(name));
  const due = new DueWorlds(service, open, troubled);
  const stop = (): void => {
    due.stop();
    service.close();
  };
  onTestFinished(stop);
  return { file, service, open, opened, troubled, due, stop };
};

describe("closed worlds in which something waits to be delivered", () => {
  it("are opened when it is due, not before, and once", () => {
    const { due, opened } = begin();
    due.start([]);
    due.closed("late", START + 90_000);
    due.closed("soon", START + 5_000);
    due.closed("nothing waits", null);
    vi.advanceTimersByTime(4_999);
    expect(opened).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(opened).toEqual(["soon"]);
    vi.advanceTimersByTime(85_000);
    expect(opened).toEqual(["soon", "late"]);
    vi.advanceTimersByTime(24 * 3_600_000);
    expect(opened).toEqual(["soon", "late"]);
  });

  it("are opened after a restart too, those that were due meanwhile and those a crash left unclosed at once", () => {
    const first = begin();
    first.due.closed("due", START + 10_000);
    first.due.closed("later", START + 7_200_000);
    first.stop();
    vi.setSystemTime(START + 60_000);
    const { due, opened } = begin(first.file);
    vi.advanceTimersByTime(10_000);
    expect(opened).toEqual([]);
    due.start(["crashed"]);
    vi.advanceTimersByTime(0);
    expect(opened).toEqual(["crashed", "due"]);
    vi.advanceTimersByTime(7_200_000);
    expect(opened).toEqual(["crashed", "due", "later"]);
  });

  it("are left alone once they were opened by a call, or are gone", () => {
    const { due, opened, service } = begin();
    due.start([]);
    due.closed("called", START + 5_000);
    due.opened("called");
    expect(service.due()).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(opened).toEqual([]);
  });

  it("rest a moment after they were closed, even when what waits is overdue", () => {
    const { due, opened } = begin();
    due.start([]);
    due.closed("busy", START - 60_000);
    vi.advanceTimersByTime(999);
    expect(opened).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(opened).toEqual(["busy"]);
  });

  it("are opened a few at a time, those that wait longest first", () => {
    const { due, opened } = begin();
    due.start([]);
    const names = Array.from({ length: 40 }, (_, index) => `world-${index}`);
    for (const [index, name] of names.entries()) due.closed(name, START + 2_000 + index);
    vi.setSystemTime(START + 10_000);
    vi.runOnlyPendingTimers();
    expect(opened.length).toBeLessThan(names.length);
    vi.advanceTimersByTime(1_000);
    expect(opened).toEqual(names);
  });
});

describe("on a disk that takes nothing", () => {
  const full = () => new Sqlite.SqliteError("database or disk is full", "SQLITE_FULL");

  it("closing a world goes on, its time is kept in mind, and written down when the disk takes it again", () => {
    const { file, due, service, opened, troubled, stop } = begin();
    due.start([]);
    const setDue = vi.spyOn(service, "setDue").mockImplementation(() => {
      throw full();
    });
    due.closed("team", START + 60_000);
    due.closed("other", START + 150_000);
    expect([troubled.mock.calls.length, setDue.mock.calls.length]).toEqual([2, 2]);
    // One that fails stands for the others.
    vi.advanceTimersByTime(30_000);
    expect([troubled.mock.calls.length, setDue.mock.calls.length]).toEqual([3, 3]);
    vi.advanceTimersByTime(30_000);
    expect(opened).toEqual(["team"]);
    setDue.mockRestore();
    vi.advanceTimersByTime(30_000);
    expect(service.due()).toEqual([{ name: "other", at: START + 150_000 }]);
    stop();
    expect(begin(file).service.due()).toEqual([{ name: "other", at: START + 150_000 }]);
  });

  it("a world is opened all the same, and not again once it was", () => {
    const { due, service, opened, troubled } = begin();
    due.start([]);
    due.closed("team", START + 5_000);
    vi.spyOn(service, "clearDue").mockImplementation(() => {
      throw full();
    });
    vi.advanceTimersByTime(3_600_000);
    expect(opened).toEqual(["team"]);
    expect(troubled).toHaveBeenCalled();
  });

  it("a world that does not open is tried again, and keeps no other from it", () => {
    const { due, open, opened, troubled } = begin();
    due.start([]);
    due.closed("broken", START + 5_000);
    due.closed("sound", START + 6_000);
    open.mockImplementationOnce(() => {
      throw full();
    });
    vi.advanceTimersByTime(6_000);
    expect([opened, troubled.mock.calls.length]).toEqual([["sound"], 1]);
    vi.advanceTimersByTime(30_000);
    expect(opened).toEqual(["sound", "broken"]);
  });
});
