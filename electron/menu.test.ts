import type { MenuItemConstructorOptions } from "electron";
import { describe, expect, test, vi } from "vitest";
import { menuTemplate } from "./menu.ts";

const actions = { openDataFolder: vi.fn(), showAbout: vi.fn() };
const template = (platform: string) => menuTemplate(platform, "Integrations Explorer", actions);

function entries(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? entries(item.submenu) : [])]);
}

describe("the application menu", () => {
  test.each(["darwin", "win32", "linux"])("offers every command once on %s", (platform) => {
    const all = entries(template(platform));
    const roles = all.filter((item) => item.visible !== false).map((item) => item.role);
    for (const role of ["reload", "resetZoom", "zoomIn", "zoomOut", "togglefullscreen", "quit", "editMenu"]) {
      expect(roles.filter((one) => one === role)).toEqual([role]);
    }
    expect(all.filter((item) => item.id === "about")).toHaveLength(1);
  });

  test("follows the platform: an app menu with Quit on a Mac, Quit in File elsewhere", () => {
    expect(template("darwin").map((menu) => menu.label ?? menu.role)).toEqual([
      "Integrations Explorer",
      "&File",
      "editMenu",
      "&View",
      "windowMenu",
      "help",
    ]);
    expect(template("linux")[0]?.submenu).toContainEqual({ role: "quit" });
    expect(template("darwin")[1]?.submenu).toContainEqual({ role: "close" });
  });
});
