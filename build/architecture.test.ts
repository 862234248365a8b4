import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import configuration from "../.dependency-cruiser.mjs";
import { ARCHITECTURE_CASES } from "./fixtures/architecture/cases.ts";

const FOLDERS = ["sandbox", "renderer", "electron", "e2e"];

let folder: string;
let trees = 0;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "architecture-")));
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"), "junction");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the names of the rules that a project breaks. */
async function brokenRules(tree: Readonly<Record<string, string>>): Promise<string[]> {
  trees += 1;
  const baseDir = path.join(folder, `tree-${trees}`);
  for (const [file, content] of Object.entries(tree)) {
    mkdirSync(path.dirname(path.join(baseDir, file)), { recursive: true });
    writeFileSync(path.join(baseDir, file), content);
  }
  const { forbidden = [], options } = configuration;
  const present = FOLDERS.filter((name) => Object.keys(tree).some((file) => file.startsWith(`${name}/`)));
  const { output } = await cruise(present, { ...options, baseDir, validate: true, ruleSet: { forbidden } });
  const { modules, summary } = output as ICruiseResult;
  // Without its parser, dependency-cruiser finds no files, and so no violations either.
  expect(modules.map(({ source }) => source)).toEqual(expect.arrayContaining(Object.keys(tree)));
  return [...new Set(summary.violations.map(({ rule }) => rule.name))];
}

describe("forbidden imports", () => {
  test("every rule has a test", () => {
    expect(ARCHITECTURE_CASES.map(({ rule }) => rule)).toEqual(configuration.forbidden?.map(({ name }) => name));
  });

  for (const { rule, forbidden, permitted } of ARCHITECTURE_CASES) {
    for (const [index, tree] of forbidden.entries()) {
      test(`${rule}: a forbidden import fails (${index + 1} of ${forbidden.length})`, async () => {
        expect(await brokenRules(tree)).toContain(rule);
      });
    }

    test(`${rule}: a permitted import passes`, async () => {
      expect(await brokenRules(permitted)).toEqual([]);
    });
  }
});
