import fs from "node:fs";
import path from "node:path";
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
  const due = new DueWorlds(service, (name) => opened.push(name));
  const stop = (): void => {
    due.stop();
    service.close();
  };
  onTestFinished(stop);
  return { file, service, opened, due, stop };
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
