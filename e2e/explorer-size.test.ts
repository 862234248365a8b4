import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { EXPLORER_TARGETS } from "../sandbox/bench/explorer-targets.ts";

/** What Vite writes of each chunk: its file, the chunks it imports before it runs, and its style sheets. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const renderer = "out/renderer";
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(path.join(renderer, ".vite/manifest.json"), "utf8"),
);

/** The chunks that are loaded before these can run, and they. */
const loadedFor = (names: readonly string[], known = new Set<string>()): ReadonlySet<string> => {
  for (const name of names) {
    if (known.has(name)) continue;
    known.add(name);
    loadedFor(manifest[name]?.imports ?? [], known);
  }
  return known;
};

/** Kilobytes of files, each compressed. */
const weightOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(path.join(renderer, file)), { level: 9 }).length, 0) /
  1_000;

/** What every page runs at once although it is fetched apart, and what places open with nothing chosen do. */
const EVERYWHERE = ["index.html", "app/background.ts"];
const atOnce: Readonly<Record<string, readonly string[]>> = {
  install: ["features/install/failure-list.tsx"],
  worlds: ["features/worlds/detail/world-detail.tsx"],
};

/** The gallery is for who works on the explorer, and is nobody's first page. */
const places = Object.keys(manifest).filter((name) => /^features\/(?!gallery\/)[^/]+\/place\.tsx$/.test(name));

describe("what a place loads until it is of use", () => {
  test("is known of every place of the rail", () => {
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

  test.each(places)("is within the targets: %s", (name) => {
    const opened = [...EVERYWHERE, name, ...(atOnce[name.split("/")[1] ?? ""] ?? [])];
    expect(opened.filter((chunk) => !manifest[chunk])).toEqual([]);
    const chunks = [...loadedFor(opened)].flatMap((chunk) => manifest[chunk] ?? []);
    const script = weightOf(new Set(chunks.map(({ file }) => file)));
    const style = weightOf(new Set(chunks.flatMap(({ css }) => css ?? [])));
    console.log(`${name}: ${script.toFixed(1)} KB of JavaScript, ${style.toFixed(1)} KB of style sheets`);
    expect(script).toBeLessThanOrEqual(EXPLORER_TARGETS.script);
    expect(style).toBeLessThanOrEqual(EXPLORER_TARGETS.style);
  });
});
