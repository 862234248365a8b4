import path from "node:path";
import { describe, expect, test } from "vitest";
import { readDesktopOptions } from "./desktop-options.ts";

const usual = path.resolve("/home/someone/.local/share/integrations-explorer");
const folder = (argv: string[], env = {}) => readDesktopOptions(argv, env, usual).dataFolder;

describe("the data folder", () => {
  test("is the usual one by default", () => {
    expect(folder(["."])).toBe(usual);
  });

  test("comes from the environment, or from the command line, which wins", () => {
    const env = { INTEGRATIONS_EXPLORER_DATA: "/data/env" };
    expect(folder(["."], env)).toBe(path.resolve("/data/env"));
    expect(folder([".", "--data-folder=/data/flag"], env)).toBe(path.resolve("/data/flag"));
    expect(folder([".", "--data-folder", "/data/flag"], env)).toBe(path.resolve("/data/flag"));
    expect(folder([".", "--data", "/data/flag"], env)).toBe(path.resolve("/data/flag"));
  });

  test("knows if it was chosen explicitly", () => {
    expect(readDesktopOptions(["."], {}, usual).isChosen).toBe(false);
    expect(readDesktopOptions([".", "--data=/data/flag"], {}, usual).isChosen).toBe(true);
    expect(readDesktopOptions(["."], { INTEGRATIONS_EXPLORER_DATA: "/data/env" }, usual).isChosen).toBe(true);
  });

  test("resolves a relative path against the start folder", () => {
    expect(folder([".", "--data-folder=here"])).toBe(path.resolve("here"));
  });

  test("ignores everything after --, so a link can't choose it", () => {
    expect(folder([".", "--", "--data-folder=/data/evil"])).toBe(usual);
    expect(folder([".", "--", "integrations-explorer://jobs", "--data=/data/evil"])).toBe(usual);
  });

  test("ignores an empty value, and leaves Chromium's switches alone", () => {
    expect(folder(["--no-sandbox", "--inspect=0", ".", "--data-folder="], { INTEGRATIONS_EXPLORER_DATA: "" })).toBe(
      usual,
    );
  });
});
