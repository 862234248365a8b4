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

describe("what the desktop app remembers", () => {
  test("what is remembered is recalled", () => {
    const memory: DesktopMemory = {
      theme: "dark",
      notifiesOfFailures: true,
      checksForUpdates: true,
      windows: [state, { ...state, bounds: null, address: "/webhooks?world=qa" }],
    };
    writeMemory(file, memory);
    expect(readMemory(file)).toEqual(memory);
  });

  test("a change leaves the rest as it is", () => {
    openMemory(file).update({ windows: [state] });
    const memory = openMemory(file);
    memory.update({ notifiesOfFailures: true });
    memory.update({ theme: "light" });
    expect(readMemory(file)).toEqual({ ...nothing, theme: "light", notifiesOfFailures: true, windows: [state] });
    expect(memory.recalled).toEqual({ ...nothing, windows: [state] });
  });

  test("at the first start nothing is", () => {
    expect(readMemory(file)).toEqual(nothing);
  });

  test.each([
    "",
    "not JSON",
    "null",
    "[]",
    '{"windows":{},"theme":"pink","notifiesOfFailures":"yes","checksForUpdates":1}',
    '{"windows":[null,1,"/jobs"]}',
  ])("a damaged file is forgotten: %s", (content) => {
    writeFileSync(file, content);
    expect(readMemory(file)).toEqual(nothing);
  });

  test.each([
    { x: 0, y: 0, width: "1200", height: 800 },
    { x: 0.5, y: 0, width: Number.MAX_VALUE, height: 800 },
  ])("of a damaged window what is sound remains", (bounds) => {
    const windows = [{ ...state, bounds, zoom: 40, address: "/__oauth/authorize" }];
    writeFileSync(file, JSON.stringify({ windows }));
    expect(readMemory(file).windows).toEqual([{ ...state, bounds: null, zoom: 1, address: "/" }]);
  });

  test("no file opens a hundred windows", () => {
    writeFileSync(file, JSON.stringify({ windows: Array(100).fill(state) }));
    expect(readMemory(file).windows).toHaveLength(16);
  });

  test("a folder that cannot be written costs the memory and nothing else", () => {
    const said = vi.spyOn(console, "error").mockReturnValue();
    expect(() => writeMemory(path.join(folder, "missing", "desktop.json"), nothing)).not.toThrow();
    expect(said.mock.lastCall?.[0]).toContain("are not remembered");
  });
});
