import { describe, expect, test } from "vitest";
import {
  type Decision,
  decideMode,
  decideWithoutRuntime,
  fetchForbidden,
  hasDisplay,
  type Situation,
} from "./mode.mjs";

/** A person's desktop, everything installed. */
const DESKTOP: Situation = {
  wanted: undefined,
  platform: "linux",
  display: true,
  root: false,
  runtime: true,
  noFetch: null,
  triedToday: false,
};

describe("desktop app or browser", () => {
  test.each<[string, Partial<Situation>, Decision["mode"], RegExp | null]>([
    ["everything is there", {}, "desktop", null],
    ["there is no display", { display: false }, "browser", /no display/],
    ["the runtime was never fetched", { runtime: false }, "fetch", null],
    [
      "it could not be fetched today",
      { runtime: false, triedToday: true },
      "browser",
      /could not be fetched earlier today/,
    ],
    ["fetching is forbidden", { runtime: false, noFetch: "X is set" }, "browser", /not installed, and X is set/],
    ["there is neither display nor runtime", { display: false, runtime: false }, "browser", /no display/],
    ["root on Linux", { root: true }, "browser", /without its sandbox/],
    ["root elsewhere", { root: true, platform: "darwin" }, "desktop", null],
    ["browser mode is wanted", { wanted: "browser" }, "browser", null],
    ["browser mode is wanted without a display", { wanted: "browser", display: false }, "browser", null],
    ["the desktop app is wanted", { wanted: "desktop" }, "desktop", null],
    ["it is wanted as root", { wanted: "desktop", root: true }, "desktop", /insists/],
    ["it is wanted and was not fetched today", { wanted: "desktop", runtime: false, triedToday: true }, "fetch", null],
  ])("when %s", (_, difference, mode, because) => {
    const decision = decideMode({ ...DESKTOP, ...difference });
    expect(decision.mode).toBe(mode);
    if (because === null) expect(decision.because).toBeNull();
    else expect(decision.because).toMatch(because);
  });

  test("Chromium's sandbox is given up for root who insists, and for nobody else", () => {
    const given = (difference: Partial<Situation>) => decideMode({ ...DESKTOP, ...difference }).withoutChromiumSandbox;
    expect(given({ wanted: "desktop", root: true })).toBe(true);
    expect(given({ wanted: "desktop" })).toBeUndefined();
    expect(given({ root: true })).toBeUndefined();
  });

  test.each<[string, Partial<Situation>, RegExp]>([
    ["an unknown mode", { wanted: "window" }, /can only be "desktop" or "browser"/],
    ["the desktop app without a display", { wanted: "desktop", display: false }, /needs a display/],
    [
      "the desktop app where fetching is forbidden",
      { wanted: "desktop", runtime: false, noFetch: "X is set" },
      /cannot start/,
    ],
  ])("refuses %s with a sentence", (_, difference, sentence) => {
    expect(() => decideMode({ ...DESKTOP, ...difference })).toThrow(sentence);
  });

  test("after a vain try it is the browser, or a sentence for who insists", () => {
    expect(decideWithoutRuntime(DESKTOP).mode).toBe("browser");
    expect(() => decideWithoutRuntime({ ...DESKTOP, wanted: "desktop" })).toThrow(/npx install-electron/);
  });
});

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, boolean]>([
  ["linux", {}, false],
  ["linux", { DISPLAY: "" }, false],
  ["linux", { DISPLAY: ":1" }, true],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, true],
  ["darwin", {}, true],
  ["win32", {}, true],
])("on %s with %j there is a display: %s", (platform, env, expected) => {
  expect(hasDisplay(platform, env)).toBe(expected);
});

test.each<[NodeJS.ProcessEnv, string | null]>([
  [{}, null],
  [{ ELECTRON_SKIP_BINARY_DOWNLOAD: "1" }, "ELECTRON_SKIP_BINARY_DOWNLOAD is set"],
  [{ ELECTRON_OVERRIDE_DIST_PATH: "/nowhere" }, "ELECTRON_OVERRIDE_DIST_PATH names a folder without its executable"],
])("with %j the runtime is not fetched because %s", (env, reason) => {
  expect(fetchForbidden(env)).toBe(reason);
});
