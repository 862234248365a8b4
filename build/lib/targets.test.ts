import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import configuration from "../../.dependency-cruiser.mjs";
import { fingerprint, forgetBuilt, inputsOf, rememberBuilt, staleTargets, type Target } from "./targets.mjs";

const ALL: readonly Target[] = ["service", "explorer", "desktop"];
const OUTPUTS = ["out/sandbox/cli.js", "out/renderer/index.html", "out/main/main.js", "out/preload/preload.cjs"];

let root: string;

const write = (file: string, content = "x"): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), content);
};

const build = (...targets: readonly Target[]): void => {
  for (const output of OUTPUTS) write(output);
  for (const target of targets) rememberBuilt(root, target, fingerprint(root, target));
};

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "targets-"));
  for (const file of ["sandbox/cli.ts", "sandbox/contract/job.ts", "renderer/main.tsx", "electron/main.ts"])
    write(file);
  for (const file of ["package.json", "package-lock.json", "electron.vite.config.ts", "electron/ipc/channels.ts"])
    write(file);
  build(...ALL);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("what has to be built", () => {
  test("is nothing right after a build", () => {
    expect(staleTargets(root, ALL)).toEqual([]);
  });

  test("is everything where nothing was built", () => {
    rmSync(path.join(root, "out"), { recursive: true });
    expect(staleTargets(root, ALL)).toEqual(ALL);
  });

  test.each<[string, readonly Target[]]>([
    ["sandbox/storage/jobs.ts", ["service", "desktop"]],
    ["sandbox/contract/job.ts", ["service", "explorer", "desktop"]],
    ["renderer/features/jobs/list.tsx", ["explorer"]],
    ["electron/window.ts", ["desktop"]],
    ["electron/ipc/channels.ts", ["explorer", "desktop"]],
    ["electron.vite.config.ts", ["explorer", "desktop"]],
    ["package-lock.json", ["service", "explorer", "desktop"]],
    ["sandbox/http/build-app.test.ts", []],
    ["renderer/features/jobs/list.test.tsx", []],
    ["renderer/.DS_Store", []],
    ["e2e/specs/order.spec.ts", []],
    ["README.md", []],
  ])("after a change to %s is %j", (file, expected) => {
    write(file, "changed");
    expect(staleTargets(root, ALL)).toEqual(expected);
  });

  test("is only what was asked for", () => {
    write("sandbox/storage/jobs.ts");
    expect(staleTargets(root, ["explorer"])).toEqual([]);
  });

  test("does not depend on when a file was written", () => {
    utimesSync(path.join(root, "renderer/main.tsx"), new Date(0), new Date(0));
    expect(staleTargets(root, ALL)).toEqual([]);
  });

  test("notices a file that was renamed", () => {
    cpSync(path.join(root, "renderer/main.tsx"), path.join(root, "renderer/start.tsx"));
    rmSync(path.join(root, "renderer/main.tsx"));
    expect(staleTargets(root, ALL)).toEqual(["explorer"]);
  });

  test.each(OUTPUTS)("includes what %s belongs to when that is missing", (output) => {
    rmSync(path.join(root, output));
    expect(staleTargets(root, ALL)).toHaveLength(1);
  });

  test("includes a target whose build was interrupted", () => {
    forgetBuilt(root, "explorer");
    expect(staleTargets(root, ALL)).toEqual(["explorer"]);
  });
});

test("finding out takes no time a person would notice", () => {
  // About 15 ms on an idle machine; the limit leaves room for a busy one.
  const began = performance.now();
  for (const target of ALL) fingerprint(process.cwd(), target);
  expect(performance.now() - began).toBeLessThan(500);
});

test.each<[Target, string]>([
  ["service", "sandbox/cli.ts"],
  ["explorer", "renderer/main.tsx"],
  ["desktop", "electron/main.ts"],
])("the %s is built from nothing that is not watched", async (target, entry) => {
  const { output } = await cruise([entry], { ...configuration.options, validate: false });
  const sources = (output as ICruiseResult).modules.map(({ source }) => source);
  expect(sources).toContain(entry);
  const isWatched = (source: string): boolean => inputsOf(target).some((input) => `${source}/`.startsWith(`${input}/`));
  const isOutside = (source: string): boolean => isBuiltin(source) || source.includes("node_modules/");
  expect(sources.filter((source) => !isWatched(source) && !isOutside(source))).toEqual([]);
});
