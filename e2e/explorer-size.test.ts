import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { EXPLORER_TARGETS } from "./bench/explorer-targets.ts";

/** A chunk in Vite's manifest: its file and its static imports. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

const renderer = "out/renderer";
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(path.join(renderer, ".vite/manifest.json"), "utf8"),
);

/** Returns these chunks and all their static imports. */
const withImports = (names: readonly string[], known = new Set<string>()): ReadonlySet<string> => {
  for (const name of names) {
    if (known.has(name)) continue;
    known.add(name);
    withImports(manifest[name]?.imports ?? [], known);
  }
  return known;
};

/** Total size of compressed files in kilobytes. */
const compressedSize = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(path.join(renderer, file)), { level: 9 }).length, 0) /
  1_000;

const places = Object.keys(manifest).filter((name) => /^features\/[^/]+\/place\.tsx$/.test(name));

describe("the JavaScript a place loads", () => {
  test("is measured for every place of the rail", () => {
    expect(places.map((name) => name.split("/")[1])).toEqual(
      expect.arrayContaining([
        "console",
        "install",
        "jobs",
        "overview",
        "procurements",
        "requests",
        "scenarios",
        "settings",
        "webhooks",
        "worlds",
      ]),
    );
  });

  test.each(places)("is within the target: %s", (name) => {
    const chunks = [...withImports(["index.html", name])].flatMap((chunk) => manifest[chunk]?.file ?? []);
    const script = compressedSize(new Set(chunks));
    console.log(`${name}: ${script.toFixed(1)} KB`);
    expect(script).toBeLessThanOrEqual(EXPLORER_TARGETS.script);
  });
});
