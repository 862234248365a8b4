import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { recall, remember, type WindowMemory } from "./window-memory.ts";

const nothing: WindowMemory = { bounds: null, maximized: false, theme: "system" };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "window-memory-"));
  file = path.join(folder, "window.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("what the window remembers", () => {
  test("what is remembered is recalled", () => {
    const memory: WindowMemory = {
      bounds: { x: -10, y: 20, width: 1200, height: 800 },
      maximized: true,
      theme: "dark",
    };
    remember(file, memory);
    expect(recall(file)).toEqual(memory);
  });

  test("at the first start nothing is", () => {
    expect(recall(file)).toEqual(nothing);
  });

  test.each([
    "",
    "not JSON",
    "null",
    "[]",
    '{"bounds":{"x":0,"y":0,"width":"1200","height":800},"maximized":1,"theme":"pink"}',
    '{"bounds":{"x":0.5,"y":0,"width":1e999,"height":800}}',
  ])("a damaged file is forgotten: %s", (content) => {
    writeFileSync(file, content);
    expect(recall(file)).toEqual(nothing);
  });

  test("a folder that cannot be written costs the memory and nothing else", () => {
    const said = vi.spyOn(console, "error").mockReturnValue();
    expect(() => remember(path.join(folder, "missing", "window.json"), nothing)).not.toThrow();
    expect(said.mock.lastCall?.[0]).toContain("is not remembered");
  });
});
