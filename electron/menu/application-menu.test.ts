import type { MenuItemConstructorOptions } from "electron";
import { describe, expect, test, vi } from "vitest";
import { menuTemplate } from "./application-menu.ts";

const actions = {
  newWindow: vi.fn(),
  openDocument: vi.fn(),
  find: vi.fn(),
  openDataFolder: vi.fn(),
  showAbout: vi.fn(),
  notifyOfFailures: vi.fn(),
  checkForUpdates: vi.fn(),
  checkForUpdatesAtStart: vi.fn(),
  zoom: vi.fn(),
  step: vi.fn(),
};
const template = (platform: string, notifiesOfFailures = false, checksForUpdates: boolean | null = false) =>
  menuTemplate({ platform, appName: "Integrations Explorer", notifiesOfFailures, checksForUpdates }, actions);

function entries(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? entries(item.submenu) : [])]);
}
const entry = (id: string, items = template("linux")) => entries(items).find((item) => item.id === id);

/** Clicks as Electron does, which passes the item itself. */
function click(item: MenuItemConstructorOptions | undefined, checked = false): void {
  item?.click?.({ checked } as Electron.MenuItem, undefined, {} as KeyboardEvent);
}

describe("the application menu", () => {
  test.each(["darwin", "win32", "linux"])("offers every command once on %s", (platform) => {
    const all = entries(template(platform)).filter((item) => item.visible !== false);
    for (const role of ["reload", "togglefullscreen", "quit", "editMenu", "windowMenu"]) {
      expect(all.filter((item) => item.role === role)).toHaveLength(1);
    }
    for (const id of [
      "about",
      "check-for-updates",
      "new-window",
      "find",
      "notify-of-failures",
      "zoom-in",
      "zoom-out",
      "zoom-reset",
    ]) {
      expect(all.filter((item) => item.id === id)).toHaveLength(1);
    }
  });

  test.each(["darwin", "win32", "linux"])("has no duplicate keys on %s", (platform) => {
    const keys = entries(template(platform)).flatMap((item) => item.accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain("CmdOrCtrl+N");
  });

  test("follows the platform: Quit in the app menu on a Mac, else in File", () => {
    expect(template("darwin").map((menu) => menu.label ?? menu.role)).toEqual([
      "Integrations Explorer",
      "&File",
      "editMenu",
      "&View",
      "&Go",
      "windowMenu",
      "help",
    ]);
    expect(template("linux")[0]?.submenu).toContainEqual({ role: "quit" });
    expect(template("darwin")[1]?.submenu).toContainEqual({ role: "close" });
  });

  test("opens files, and lists recent ones where the platform's menus do", () => {
    click(entry("open-document"));
    expect(actions.openDocument).toHaveBeenCalledOnce();
    const offersRecent = (platform: string) =>
      entries(template(platform)).some(({ role }) => role === "recentDocuments");
    expect(["darwin", "win32", "linux"].map(offersRecent)).toEqual([true, false, false]);
  });

  test("shows and switches notifications of failed deliveries", () => {
    expect(entry("notify-of-failures")?.checked).toBe(false);
    expect(entry("notify-of-failures", template("linux", true))?.checked).toBe(true);
    click(entry("notify-of-failures"), true);
    expect(actions.notifyOfFailures.mock.lastCall).toEqual([true]);
  });

  test("checks for updates on request, and hides it if there are no releases", () => {
    click(entry("check-for-updates"));
    expect(actions.checkForUpdates).toHaveBeenCalledOnce();
    expect(entry("check-for-updates-at-start")?.checked).toBe(false);
    click(entry("check-for-updates-at-start"), true);
    expect(actions.checkForUpdatesAtStart.mock.lastCall).toEqual([true]);
    expect(entry("check-for-updates-at-start", template("darwin", false, true))?.checked).toBe(true);
    const without = entries(template("linux", false, null)).flatMap(({ id }) => id ?? []);
    expect(without.filter((id) => id.includes("update"))).toEqual([]);
  });

  test.each([
    ["darwin", "Cmd+[", "Cmd+]"],
    ["win32", "Alt+Left", "Alt+Right"],
    ["linux", "Alt+Left", "Alt+Right"],
  ])("goes back and forward with the platform's keys on %s", (platform, back, forward) => {
    actions.step.mockClear();
    const [backwards, forwards] = ["back", "forward"].map((id) => entry(id, template(platform)));
    expect([backwards?.accelerator, forwards?.accelerator]).toEqual([back, forward]);
    click(backwards);
    click(forwards);
    expect(actions.step.mock.calls.flat()).toEqual(["back", "forward"]);
  });

  test("zooms with its own keys and those of the number pad", () => {
    const zooming = entries(template("linux")).filter((item) => /zoom|num|=/.test(`${item.id} ${item.accelerator}`));
    for (const item of zooming) click(item);
    expect(actions.zoom.mock.calls.flat()).toEqual(["reset", "in", "out", "in", "in", "out", "reset"]);
  });
});
