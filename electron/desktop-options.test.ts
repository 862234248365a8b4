import path from "node:path";
import { describe, expect, test } from "vitest";
import { readDesktopOptions } from "./desktop-options.ts";

const usual = path.resolve("/home/someone/.local/share/integrations-explorer");
const folder = (argv: string[], env = {}) => readDesktopOptions(argv, env, usual).dataFolder;

describe("where the data lives", () => {
  test("in the usual folder, if nobody says otherwise", () => {
    expect(folder(["."])).toBe(usual);
  });

  test("where the environment says, or the command line, which wins", () => {
    const env = { INTEGRATIONS_EXPLORER_DATA: "/data/env" };
    expect(folder(["."], env)).toBe(path.resolve("/data/env"));
    expect(folder([".", "--data-folder=/data/flag"], env)).toBe(path.resolve("/data/flag"));
    expect(folder([".", "--data-folder", "/data/flag"], env)).toBe(path.resolve("/data/flag"));
    expect(folder([".", "--data", "/data/flag"], env)).toBe(path.resolve("/data/flag"));
  });

  test("is known to be chosen or not: only a chosen one is worth a word where another is in use", () => {
    expect(readDesktopOptions(["."], {}, usual).isChosen).toBe(false);
    expect(readDesktopOptions([".", "--data=/data/flag"], {}, usual).isChosen).toBe(true);
    expect(readDesktopOptions(["."], { INTEGRATIONS_EXPLORER_DATA: "/data/env" }, usual).isChosen).toBe(true);
  });

  test("a relative folder counts from where the app is started", () => {
    expect(folder([".", "--data-folder=here"])).toBe(path.resolve("here"));
  });

  test("what stands after -- is no option: a link cannot choose the folder", () => {
    expect(folder([".", "--", "--data-folder=/data/evil"])).toBe(usual);
    expect(folder([".", "--", "integrations-explorer://jobs", "--data=/data/evil"])).toBe(usual);
  });

  test("an empty value counts as none, and Chromium's own switches are let be", () => {
    expect(folder(["--no-sandbox", "--inspect=0", ".", "--data-folder="], { INTEGRATIONS_EXPLORER_DATA: "" })).toBe(
      usual,
    );
  });
});
