import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_WORLD, isWorldName, parseWorldFile, worldFileName } from "./world-name.ts";

const characters = [..."abcxyzABCXYZ0189._-"];
const name = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 64 });

describe("a world's name", () => {
  it("D81: is 1 to 64 letters, digits, dots, underscores and hyphens", () => {
    for (const good of [
      "a",
      "A",
      "0",
      ".",
      "..",
      "-",
      "_",
      "team-7.QA_x",
      "a".repeat(64),
      "con",
      "NUL",
      "__proto__",
      "constructor",
    ])
      expect(isWorldName(good), good).toBe(true);
  });

  it("D81: is invalid otherwise", () => {
    for (const bad of [
      "",
      "a".repeat(65),
      " ",
      "a b",
      "a/b",
      "a\\b",
      "../a",
      "ä",
      "a\n",
      "\na",
      "a\u0000",
      "a+b",
      "a:b",
      "%41",
      "Ａ",
      "a*",
    ])
      expect(isWorldName(bad), bad).toBe(false);
  });

  it("D80: is default if a call names none", () => {
    expect(DEFAULT_WORLD).toBe("default");
    expect(isWorldName(DEFAULT_WORLD)).toBe(true);
  });
});

describe("a world's file", () => {
  it("can be parsed back to its name", () => {
    fc.assert(
      fc.property(name, (world) => {
        expect(parseWorldFile(worldFileName(world))).toBe(world);
      }),
    );
  });

  it("is unique, even on a file system that folds case or drops trailing dots", () => {
    const folded = (file: string): string =>
      file
        .toUpperCase()
        .normalize("NFKC")
        .replace(/[. ]+$/, "");
    const alike = fc.string({ unit: fc.constantFrom("a", "A", ".", "-"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(alike, alike, (one, other) => {
        expect(folded(worldFileName(one)) === folded(worldFileName(other))).toBe(one === other);
      }),
      { numRuns: 500 },
    );
    expect(new Set(["Ab", "aB", "AB", "ab"].map((world) => folded(worldFileName(world)))).size).toBe(4);
  });

  it("never collides with SQLite's log and index files of another world", () => {
    fc.assert(
      fc.property(name, fc.constantFrom("-wal", "-shm", "-journal"), (world, suffix) => {
        expect(parseWorldFile(worldFileName(world) + suffix)).toBeNull();
        expect(worldFileName(`${world}.sqlite${suffix}`.slice(-64)).endsWith(suffix)).toBe(false);
      }),
    );
  });

  it("never leaves the folder, and has a name that every platform allows", () => {
    fc.assert(
      fc.property(name, (world) => {
        const file = worldFileName(world);
        for (const { basename, dirname, join } of [path.posix, path.win32]) {
          expect(basename(file)).toBe(file);
          expect(dirname(join("worlds", file))).toBe("worlds");
        }
        expect(file).toMatch(/^w-[a-z0-9._+-]+\.sqlite$/);
        expect(file.length).toBeLessThanOrEqual(255);
      }),
    );
    for (const world of ["..", ".", "con", "NUL", "aux.txt", "A".repeat(64)]) {
      expect(path.win32.resolve("C:\\worlds", worldFileName(world))).toBe(`C:\\worlds\\${worldFileName(world)}`);
      expect(path.posix.resolve("/worlds", worldFileName(world))).toBe(`/worlds/${worldFileName(world)}`);
    }
  });

  it("is distinguished from every other file", () => {
    for (const file of [
      "",
      "service.sqlite",
      "w-.sqlite",
      "w-a",
      "w-a.sqlite-wal",
      "w-a.sqlite.new",
      "w-A.sqlite",
      "w-+.sqlite",
      "w-a+.sqlite",
      "w-+1.sqlite",
      "x-a.sqlite",
      "w-a b.sqlite",
      "w-a.sqlite\n",
      "w-../a.sqlite",
      `w-${"a".repeat(65)}.sqlite`,
    ]) {
      expect(parseWorldFile(file), file).toBeNull();
    }
  });
});
