import { expect, test } from "vitest";
import { openerFor, openInBrowser } from "./open-address.mjs";

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string | null]>([
  ["linux", { DISPLAY: ":0" }, "xdg-open"],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, "xdg-open"],
  ["linux", {}, null],
  ["linux", { DISPLAY: ":0", BROWSER: "none" }, null],
  ["darwin", {}, "open"],
  ["win32", {}, "rundll32"],
])("on %s with %j an address is opened by %s", (platform, env, program) => {
  expect(openerFor(platform, env)?.[0] ?? null).toBe(program);
});

test("a machine without an opener is no failure", async () => {
  openInBrowser("http://127.0.0.1:1/", { platform: "linux", env: { DISPLAY: ":0", PATH: "/nowhere" } });
  await new Promise((resolve) => setTimeout(resolve, 100));
});
