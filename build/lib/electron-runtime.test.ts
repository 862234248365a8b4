import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findElectron, recentFailedTry, tryToInstallElectron } from "./electron-runtime.mjs";
import { projectNode } from "./project.mjs";
import type { Voice } from "./voice.mjs";

const DAY = 24 * 60 * 60_000;

let root: string;
let lines: string[];
const voice: Voice = { say: (line) => void lines.push(line), step: (_, work) => work() };

const write = (file: string, content = ""): string => {
  const absolute = path.join(root, file);
  mkdirSync(path.dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
  return absolute;
};

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "runtime-"));
  lines = [];
  write("node_modules/electron/package.json", '{"version":"45.0.0"}');
  mkdirSync(path.dirname(projectNode(root)), { recursive: true });
  symlinkSync(process.execPath, projectNode(root));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("where the Electron runtime is", () => {
  test("is nowhere after npm alone", () => {
    expect(findElectron(root, {})).toBeNull();
  });

  test("is where Electron's installer says", () => {
    write("node_modules/electron/path.txt", "electron");
    const executable = write("node_modules/electron/dist/electron");
    expect(findElectron(root, {})).toBe(executable);
  });

  test("is nowhere when the installer was interrupted", () => {
    write("node_modules/electron/dist/electron");
    expect(findElectron(root, {})).toBeNull();
    write("node_modules/electron/path.txt", "electron-of-another-platform");
    expect(findElectron(root, {})).toBeNull();
  });

  test.each([
    ["linux", "electron"],
    ["win32", "electron.exe"],
    ["darwin", "Electron.app/Contents/MacOS/Electron"],
  ] as const)("is in the folder that ELECTRON_OVERRIDE_DIST_PATH names, on %s as %s", (platform, name) => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: path.join(root, "mine") };
    expect(findElectron(root, env, platform)).toBeNull();
    const executable = write(`mine/${name}`);
    expect(findElectron(root, env, platform)).toBe(executable);
  });
});

describe("a try to fetch the runtime", () => {
  const installer = (script: string): string => write("node_modules/electron/install.js", script);

  test("that succeeds leaves the runtime and no memory", async () => {
    installer(`
      const { mkdirSync, writeFileSync } = require("node:fs");
      mkdirSync(__dirname + "/dist");
      writeFileSync(__dirname + "/dist/electron", "");
      writeFileSync(__dirname + "/path.txt", "electron");`);
    expect(await tryToInstallElectron(root, voice, 1_000)).toBe(true);
    expect(findElectron(root, {})).not.toBeNull();
    expect(recentFailedTry(root, 1_000)).toBeNull();
  });

  test("that fails is remembered for a day", async () => {
    installer("process.exit(1)");
    expect(await tryToInstallElectron(root, voice, 5_000)).toBe(false);
    expect(recentFailedTry(root, 5_000 + DAY - 1)).toEqual({ version: "45.0.0", at: 5_000 });
    expect(recentFailedTry(root, 5_000 + DAY)).toBeNull();
  });

  test("that failed is forgotten when the clock was wrong or Electron is another version", async () => {
    installer("process.exit(1)");
    await tryToInstallElectron(root, voice, 5_000);
    expect(recentFailedTry(root, 4_999)).toBeNull();
    write("node_modules/electron/package.json", '{"version":"46.0.0"}');
    expect(recentFailedTry(root, 6_000)).toBeNull();
  });

  test("that hangs is ended at its time limit, and remembered", async () => {
    installer("setInterval(() => {}, 1_000)");
    const began = performance.now();
    expect(await tryToInstallElectron(root, voice, 7_000, 400)).toBe(false);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(recentFailedTry(root, 7_000)).not.toBeNull();
    expect(lines[0]).toMatch(/Fetching the Electron runtime .* at most 0\.4 s/);
  });
});
