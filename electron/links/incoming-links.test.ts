import type { EventEmitter } from "node:events";
import { app, dialog } from "electron";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { listenForLinks, registerLinkScheme } from "./incoming-links.ts";

// Importing the real package starts a download.
vi.mock("electron", async () => {
  const { EventEmitter: Emitter } = await import("node:events");
  return {
    app: Object.assign(new Emitter(), {
      isPackaged: false,
      getName: () => "Explorer",
      getAppPath: () => "/app",
      whenReady: () => Promise.resolve(),
      commandLine: { hasSwitch: vi.fn() },
      setAsDefaultProtocolClient: vi.fn(),
    }),
    dialog: { showMessageBox: vi.fn() },
  };
});

const emitter = app as unknown as EventEmitter;
const jobs = "integrations-explorer://jobs";
const hostile = "integrations-explorer://__oauth/authorize";

function openUrl(link: string): boolean {
  const preventDefault = vi.fn();
  emitter.emit("open-url", { preventDefault }, link);
  return preventDefault.mock.calls.length > 0;
}

beforeEach(() => {
  vi.clearAllMocks();
  emitter.removeAllListeners();
  vi.spyOn(console, "error").mockReturnValue();
});

describe("links from other programs", () => {
  test("wait until there is a window to show them, in their order", () => {
    const incoming = listenForLinks(["/app", "--", `${jobs}/1`]);
    expect(openUrl(`${jobs}/2`)).toBe(true);
    const shown: unknown[] = [];
    incoming.deliver((address) => shown.push(address));
    emitter.emit("second-instance", {}, ["/app", `${jobs}/3`]);
    expect(shown).toEqual(["/jobs/1", "/jobs/2", "/jobs/3"]);
  });

  test("a further start without one brings the app to the front", () => {
    const shown: unknown[] = [];
    listenForLinks(["/app"]).deliver((address) => shown.push(address));
    expect(shown).toEqual([]);
    emitter.emit("second-instance", {}, ["/app", "."]);
    expect(shown).toEqual([null]);
  });

  test("one that leads nowhere opens nothing, and the person is told once", async () => {
    const answered = Promise.withResolvers<never>();
    vi.mocked(dialog.showMessageBox).mockReturnValue(answered.promise);
    const shown: unknown[] = [];
    listenForLinks(["/app", hostile]).deliver((address) => shown.push(address));
    openUrl(hostile);
    emitter.emit("second-instance", {}, ["/app", hostile]);
    expect(shown).toEqual([null, null, null]);
    await vi.waitFor(() => expect(dialog.showMessageBox).toHaveBeenCalledOnce());
    expect(vi.mocked(dialog.showMessageBox).mock.lastCall?.[0]).toMatchObject({
      detail: expect.stringContaining(hostile),
    });
  });
});

describe("the system's handler of links", () => {
  test("is this app, and what follows in the link is never read as a switch", () => {
    registerLinkScheme();
    expect(vi.mocked(app.setAsDefaultProtocolClient).mock.calls).toEqual([
      ["integrations-explorer", process.execPath, ["/app", "--"]],
    ]);
  });

  test("is not an app with a profile of its own", () => {
    vi.mocked(app.commandLine.hasSwitch).mockImplementation((name) => name === "user-data-dir");
    registerLinkScheme();
    expect(app.setAsDefaultProtocolClient).not.toHaveBeenCalled();
  });
});
