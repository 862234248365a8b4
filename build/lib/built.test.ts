import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import configuration from "../../.dependency-cruiser.mjs";
import { fingerprint, HELP, INPUTS, isStale, OUTPUTS, rememberBuilt } from "./built.mjs";

let root: string;

const write = (file: string, content = "x"): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), content);
};

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "built-"));
  for (const file of ["sandbox/cli.ts", "renderer/main.tsx", "package-lock.json", ...OUTPUTS]) write(file);
  rememberBuilt(root, fingerprint(root));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a build", () => {
  test("is fresh, whatever the timestamps of its files", () => {
    utimesSync(path.join(root, "renderer/main.tsx"), new Date(0), new Date(0));
    expect(isStale(root)).toBe(false);
  });

  test.each(["sandbox/storage/jobs.ts", "renderer/main.tsx", "electron/window.ts", "package-lock.json"])(
    "is stale after a change to %s",
    (file) => {
      write(file, "changed");
      expect(isStale(root)).toBe(true);
    },
  );

  test.each(["sandbox/http/app.test.ts", "renderer/.DS_Store", "e2e/specs/order.spec.ts", "README.md"])(
    "does not depend on %s",
    (file) => {
      write(file, "changed");
      expect(isStale(root)).toBe(false);
    },
  );

  test.each(OUTPUTS)("is stale without %s", (output) => {
    rmSync(path.join(root, output));
    expect(isStale(root)).toBe(true);
  });
});

test("the help is stale only after a change to its own sources", () => {
  for (const file of [...HELP.outputs, "docs/guide.md"]) write(file);
  rememberBuilt(root, fingerprint(root, HELP), HELP);
  write("renderer/main.tsx", "changed");
  expect(isStale(root, HELP)).toBe(false);
  write("docs/guide.md", "changed");
  expect(isStale(root, HELP)).toBe(true);
});

test("bundles contain only declared inputs", async () => {
  const entries = ["sandbox/start.ts", "renderer/main.tsx", "electron/main.ts", "electron/preload.ts"];
  const { output } = await cruise(entries, { ...configuration.options, validate: false });
  const sources = (output as ICruiseResult).modules.map(({ source }) => source);
  expect(sources).toEqual(expect.arrayContaining(entries));
  const isInput = (source: string): boolean => INPUTS.some((input) => `${source}/`.startsWith(`${input}/`));
  const isOutside = (source: string): boolean => isBuiltin(source) || source.includes("node_modules/");
  expect(sources.filter((source) => !isInput(source) && !isOutside(source))).toEqual([]);
});
