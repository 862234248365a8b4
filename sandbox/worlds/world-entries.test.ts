import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ServiceDatabase } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";
import { WorldEntries } from "./world-entries.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const started = (names: readonly string[] = []) => {
  const saveWorlds = vi.fn<ServiceDatabase["saveWorlds"]>();
  const kept = { name: "kept", created_at: 1, last_active_at: 1, pinned: true, due_at: null, closed: null };
  const service = { saveWorlds, worlds: () => [kept, { ...kept, name: "deleted" }] } as unknown as ServiceDatabase;
  const entries = new WorldEntries(service, ["kept", ...names]);
  const saved = () =>
    saveWorlds.mock.calls.map(([known, gone, wait]) => [[...known].map(({ name }) => name), gone, wait] as const);
  return { entries, saveWorlds, saved };
};

it("opens an unknown file, and deletes entries without a file", () => {
  const { entries, saved } = started(["unknown"]);
  expect(entries.get("unknown")).toMatchObject({ due_at: 0, pinned: false });
  expect([...entries.all()].map(({ name }) => name)).toEqual(["kept", "unknown"]);
  vi.advanceTimersByTime(500);
  expect(saved()).toEqual([[["unknown"], ["deleted"], false]]);
});

it("writes all changes of half a second together, with the calls before them", () => {
  const { entries, saved, saveWorlds } = started();
  entries.save();
  saveWorlds.mockClear();
  const kept = entries.put("kept", { due_at: 5 });
  entries.put("a", {});
  vi.advanceTimersByTime(499);
  entries.delete("a");
  expect(saved()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(saved()).toEqual([[["kept"], ["a"], false]]);
  entries.touch(kept, 7);
  vi.advanceTimersByTime(5_000);
  expect(saved()).toHaveLength(1);
  entries.save(true);
  entries.save(true);
  expect(saved().slice(1)).toEqual([[["kept"], [], true]]);
});

it("keeps changes that the disk refused, and fails with other errors", () => {
  const { entries, saved, saveWorlds } = started();
  saveWorlds.mockImplementationOnce(() => {
    throw new Sqlite.SqliteError("full", "SQLITE_FULL");
  });
  vi.advanceTimersByTime(500);
  entries.put("a", {});
  vi.advanceTimersByTime(500);
  expect(saved().at(-1)).toEqual([["a"], ["deleted"], false]);
  const refuse = (error: Error) => {
    entries.put("a", {});
    saveWorlds.mockImplementationOnce(() => {
      throw error;
    });
    return () => entries.save();
  };
  expect(refuse(new Sqlite.SqliteError("full", "SQLITE_FULL"))).toThrow(NotDurableError);
  expect(refuse(new TypeError("a mistake"))).toThrow(TypeError);
});

it("measures idle time by a clock that can't be set", () => {
  const { entries } = started();
  vi.advanceTimersByTime(1_000);
  entries.put("a", {});
  entries.put("kept", { due_at: 1 });
  vi.setSystemTime(0);
  vi.advanceTimersByTime(500);
  expect(["kept", "a"].map((name) => [entries.isUntouchedFor(name, 1_500), entries.isUntouchedFor(name, 500)])).toEqual(
    [
      [true, true],
      [false, true],
    ],
  );
  entries.put("kept", { last_active_at: 2 });
  expect(entries.isUntouchedFor("kept", 1)).toBe(false);
});

it("writes nothing after it was closed, whatever calls that outlast the stop change", () => {
  const { entries, saved } = started();
  entries.save();
  entries.put("a", {});
  entries.close();
  entries.put("b", {});
  vi.advanceTimersByTime(5_000);
  expect(saved()).toHaveLength(1);
});
