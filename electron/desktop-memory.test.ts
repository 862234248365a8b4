import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type DesktopMemory, openMemory, readMemory, writeMemory } from "./desktop-memory.ts";

const nothing: DesktopMemory = { theme: "system", notifiesOfFailures: false, checksForUpdates: false, windows: [] };
const state = { bounds: { x: -10, y: 20, width: 1200, height: 800 }, maximized: true, zoom: 1.25, address: "/jobs/1" };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "desktop-memory-"));
  file = path.join(folder, "desktop.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the desktop app's memory", () => {
  test("reads back what it wrote", () => {
    const memory: DesktopMemory = {
      theme: "dark",
      notifiesOfFailures: true,
      checksForUpdates: true,
      windows: [state, { ...state, bounds: null, address: "/webhooks?world=qa" }],
    };
    writeMemory(file, memory);
    expect(readMemory(file)).toEqual(memory);
  });

  test("a change keeps everything else", () => {
    openMemory(file).update({ windows: [state] });
    const memory = openMemory(file);
    memory.update({ notifiesOfFailures: true });
    memory.update({ theme: "light" });
    expect(readMemory(file)).toEqual({ ...nothing, theme: "light", notifiesOfFailures: true, windows: [state] });
    expect(memory.recalled).toEqual({ ...nothing, windows: [state] });
  });

  test("is empty at the first start", () => {
    expect(readMemory(file)).toEqual(nothing);
  });

  test.each([
    "",
    "not JSON",
    "null",
    "[]",
    '{"windows":{},"theme":"pink","notifiesOfFailures":"yes","checksForUpdates":1}',
    '{"windows":[null,1,"/jobs"]}',
  ])("ignores a damaged file: %s", (content) => {
    writeFileSync(file, content);
    expect(readMemory(file)).toEqual(nothing);
  });

  test.each([
    { x: 0, y: 0, width: "1200", height: 800 },
    { x: 0.5, y: 0, width: Number.MAX_VALUE, height: 800 },
  ])("keeps the valid parts of a damaged window", (bounds) => {
    const windows = [{ ...state, bounds, zoom: 40, address: "/__oauth/authorize" }];
    writeFileSync(file, JSON.stringify({ windows }));
    expect(readMemory(file).windows).toEqual([{ ...state, bounds: null, zoom: 1, address: "/" }]);
  });

  test("a file can't open a hundred windows", () => {
    writeFileSync(file, JSON.stringify({ windows: Array(100).fill(state) }));
    expect(readMemory(file).windows).toHaveLength(16);
  });

  test("a folder that isn't writable only disables the memory", () => {
    const said = vi.spyOn(console, "error").mockReturnValue();
    expect(() => writeMemory(path.join(folder, "missing", "desktop.json"), nothing)).not.toThrow();
    expect(said.mock.lastCall?.[0]).toBe("window state not saved");
  });
});
