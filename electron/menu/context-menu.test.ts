import { describe, expect, test, vi } from "vitest";
import { contextMenuTemplate, type Pointed } from "./context-menu.ts";

// Importing the real package starts a download.
vi.mock("electron", () => ({}));

const origin = "http://127.0.0.1:4026";
const actions = { openWindow: vi.fn(), copyLink: vi.fn(), openOutside: vi.fn(), copyAddress: vi.fn() };
const nothing: Pointed = { linkURL: "", selectionText: "", isEditable: false };
const menu = (pointed: Partial<Pointed>) => contextMenuTemplate({ ...nothing, ...pointed }, "/jobs/1", origin, actions);
const names = (pointed: Partial<Pointed>) => menu(pointed).flatMap((item) => item.label ?? item.role ?? []);

/** Clicks an item as Electron does. */
function choose(pointed: Partial<Pointed>, label: string): void {
  menu(pointed)
    .find((item) => item.label === label)
    ?.click?.({} as Electron.MenuItem, undefined, {} as KeyboardEvent);
}

describe("the context menu", () => {
  test("opens a link of the explorer in a new window, and copies it", () => {
    const linkURL = `${origin}/procurements/2?world=qa`;
    expect(names({ linkURL })).toEqual(["Open in new window", "Copy link"]);
    choose({ linkURL }, "Open in new window");
    choose({ linkURL }, "Copy link");
    expect(actions.openWindow.mock.lastCall).toEqual(["/procurements/2?world=qa"]);
    expect(actions.copyLink.mock.lastCall).toEqual(["/procurements/2?world=qa"]);
  });

  test("opens other web links in the default browser", () => {
    for (const linkURL of ["https://example.test/docs", `${origin}/openapi.json`]) {
      expect(names({ linkURL })).toEqual(["Open in browser", "Copy address"]);
      choose({ linkURL }, "Open in browser");
      expect(actions.openOutside.mock.lastCall).toEqual([linkURL]);
    }
  });

  test("offers nothing for a link that starts a program", () => {
    expect(names({ linkURL: "file:///etc/passwd", selectionText: "x" })).toEqual(["copy"]);
    expect(names({ linkURL: "javascript:alert(1)" })).toEqual(["Open in new window", "Copy link to this place"]);
  });

  test("edits text and copies selections", () => {
    expect(names({ isEditable: true })).toEqual(["cut", "copy", "paste", "selectAll"]);
    expect(names({ selectionText: "J-20418" })).toEqual(["copy"]);
    expect(names({ selectionText: "J-20418", linkURL: `${origin}/jobs` })).toEqual([
      "Open in new window",
      "Copy link",
      "copy",
    ]);
  });

  test("elsewhere, offers the place itself", () => {
    expect(names({ selectionText: " " })).toEqual(["Open in new window", "Copy link to this place"]);
    choose({}, "Copy link to this place");
    expect(actions.copyLink.mock.lastCall).toEqual(["/jobs/1"]);
  });
});
