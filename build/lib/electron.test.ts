import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Decision, decideMode, failedToday, fetchElectron, findElectron, type Situation } from "./electron.mjs";
import { projectNode } from "./project.mjs";

/** A user's desktop with everything installed. */
const DESKTOP: Situation = { env: { DISPLAY: ":0" }, platform: "linux", root: false, runtime: true, failed: false };

const wanted = (mode: string): NodeJS.ProcessEnv => ({ DISPLAY: ":0", INTEGRATIONS_EXPLORER_MODE: mode });
const NO_FETCH = { runtime: false, env: { DISPLAY: ":0", ELECTRON_SKIP_BINARY_DOWNLOAD: "1" } };

describe("desktop app or browser", () => {
  test.each<[string, Partial<Situation>, Decision["mode"], RegExp | null]>([
    ["everything is there", {}, "desktop", null],
    ["the display is Wayland's", { env: { WAYLAND_DISPLAY: "wayland-0" } }, "desktop", null],
    [
      "there is no display",
      { env: { DISPLAY: "" } },
      "browser",
      /no display .*: the explorer is served to your browser/,
    ],
    ["the system always has a display", { env: {}, platform: "darwin" }, "desktop", null],
    ["the runtime was never fetched", { runtime: false }, "fetch", null],
    ["it could not be fetched", { runtime: false, failed: true }, "browser", /could not be fetched/],
    ["fetching is forbidden", NO_FETCH, "browser", /ELECTRON_SKIP_BINARY_DOWNLOAD is set/],
    ["root on Linux", { root: true }, "browser", /without its sandbox/],
    ["root elsewhere", { root: true, platform: "darwin" }, "desktop", null],
    ["browser mode is wanted", { env: wanted("browser") }, "browser", null],
    ["the desktop app is wanted", { env: wanted("desktop") }, "desktop", null],
    ["it is wanted as root", { env: wanted("desktop"), root: true }, "desktop", /insists/],
  ])("when %s", (_, difference, mode, because) => {
    const decision = decideMode({ ...DESKTOP, ...difference });
    expect(decision.mode).toBe(mode);
    if (because === null) expect(decision.because).toBeNull();
    else expect(decision.because).toMatch(because);
  });

  test("Chromium's sandbox is switched off only for root that asks for the desktop app", () => {
    const given = (difference: Partial<Situation>) => decideMode({ ...DESKTOP, ...difference }).withoutChromiumSandbox;
    expect(given({ env: wanted("desktop"), root: true })).toBe(true);
    expect(given({ env: wanted("desktop") })).toBeUndefined();
    expect(given({ root: true })).toBeUndefined();
  });

  test.each<[string, Partial<Situation>, RegExp]>([
    ["an unknown mode", { env: wanted("window") }, /can only be "desktop" or "browser"/],
    ["the desktop app without a display", { env: { ...wanted("desktop"), DISPLAY: "" } }, /There is no display/],
    [
      "the desktop app that cannot be fetched",
      { env: wanted("desktop"), runtime: false, failed: true },
      /npx install-e/,
    ],
  ])("refuses %s and says why", (_, difference, sentence) => {
    expect(() => decideMode({ ...DESKTOP, ...difference })).toThrow(sentence);
  });
});

let root: string;

const write = (file: string, content = ""): string => {
  const absolute = path.join(root, file);
  mkdirSync(path.dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
  return absolute;
};

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "runtime-"));
  write("node_modules/electron/package.json", '{"version":"45.0.0"}');
  mkdirSync(path.dirname(projectNode(root)), { recursive: true });
  symlinkSync(process.execPath, projectNode(root));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the Electron runtime", () => {
  test("is at the installer's path, or missing after an interrupted installation", () => {
    const executable = write("node_modules/electron/dist/electron");
    expect(findElectron(root, {})).toBeNull();
    write("node_modules/electron/path.txt", "electron");
    expect(findElectron(root, {})).toBe(executable);
    write("node_modules/electron/path.txt", "electron-of-another-platform");
    expect(findElectron(root, {})).toBeNull();
  });

  test.each([
    ["linux", "electron"],
    ["win32", "electron.exe"],
    ["darwin", "Electron.app/Contents/MacOS/Electron"],
  ] as const)("comes from the folder ELECTRON_OVERRIDE_DIST_PATH, on %s as %s", (platform, name) => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: path.join(root, "mine") };
    expect(findElectron(root, env, platform)).toBeNull();
    const executable = write(`mine/${name}`);
    expect(findElectron(root, env, platform)).toBe(executable);
  });
});

describe("fetching the runtime", () => {
  const installer = (script: string): string => write("node_modules/electron/install.js", script);

  test("clears the memory of earlier failures", async () => {
    installer("process.exit(1)");
    await fetchElectron(root);
    installer(`
      const { mkdirSync, writeFileSync } = require("node:fs");
      mkdirSync(__dirname + "/dist");
      writeFileSync(__dirname + "/dist/electron", "");
      writeFileSync(__dirname + "/path.txt", "electron");`);
    await fetchElectron(root);
    expect(findElectron(root, {})).not.toBeNull();
    expect(failedToday(root)).toBe(false);
  });

  test("remembers a failure for a day, for this version of Electron", async () => {
    installer("process.exit(1)");
    await fetchElectron(root);
    expect(failedToday(root)).toBe(true);
    const file = path.join(root, "node_modules/.cache/integrations-explorer/electron-not-fetched");
    const yesterday = new Date(Date.now() - 24 * 60 * 60_000);
    utimesSync(file, yesterday, yesterday);
    expect(failedToday(root)).toBe(false);
    await fetchElectron(root);
    write("node_modules/electron/package.json", '{"version":"46.0.0"}');
    expect(failedToday(root)).toBe(false);
  });

  test("ends at its time limit and counts as a failure", async () => {
    installer("setInterval(() => {}, 1_000)");
    const began = performance.now();
    await fetchElectron(root, 400);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(failedToday(root)).toBe(true);
  });
});
