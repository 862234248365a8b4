import type { EventEmitter } from "node:events";
import path from "node:path";
import { app, dialog } from "electron";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { listenForLinks, type Receiver, registerLinkScheme } from "./incoming-links.ts";

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

/** Records delivered addresses, and files by "open". */
const into = (shown: unknown[]): Receiver => ({
  show: (address) => void shown.push(address),
  open: (file) => void shown.push(`open ${file}`),
});

function openUrl(link: string): boolean {
  const preventDefault = vi.fn();
  emitter.emit("open-url", { preventDefault }, link);
  return preventDefault.mock.calls.length > 0;
}

beforeEach(() => {
  vi.clearAllMocks();
  vi.mocked(app.commandLine.hasSwitch).mockReturnValue(false);
  emitter.removeAllListeners();
  vi.spyOn(console, "error").mockReturnValue();
});

describe("links from other programs", () => {
  test("wait in order for a window", () => {
    const incoming = listenForLinks(["/app", "--", `${jobs}/1`]);
    expect(openUrl(`${jobs}/2`)).toBe(true);
    const shown: unknown[] = [];
    incoming.deliver(into(shown));
    emitter.emit("second-instance", {}, ["/app", `${jobs}/3`]);
    expect(shown).toEqual(["/jobs/1", "/jobs/2", "/jobs/3"]);
  });

  test("a second start without a link brings the app to the front", () => {
    const shown: unknown[] = [];
    listenForLinks(["/app"]).deliver(into(shown));
    expect(shown).toEqual([]);
    emitter.emit("second-instance", {}, ["/app", "."]);
    expect(shown).toEqual([null]);
  });

  test("open reproductions given as a path, a URL, relative to the start, or by a Mac's event", () => {
    const shown: unknown[] = [];
    listenForLinks(["/app", "--", "/tmp/a 1.reproduction"]).deliver(into(shown));
    emitter.emit("second-instance", {}, ["/app", "file:///tmp/b%202.reproduction"], "/home/me");
    emitter.emit("second-instance", {}, ["/app", "--x.reproduction", "c.Reproduction"], "/home/me");
    const preventDefault = vi.fn();
    emitter.emit("open-file", { preventDefault }, "/tmp/d.reproduction");
    expect(preventDefault).toHaveBeenCalledOnce();
    const opened = ["/tmp/a 1.reproduction", "/tmp/b 2.reproduction", "/home/me/c.Reproduction", "/tmp/d.reproduction"];
    expect(shown).toEqual(opened.map((file) => `open ${path.normalize(file)}`));
  });

  test("a hostile link opens nothing and shows one message", async () => {
    const answered = Promise.withResolvers<never>();
    vi.mocked(dialog.showMessageBox).mockReturnValue(answered.promise);
    const shown: unknown[] = [];
    listenForLinks(["/app", hostile]).deliver(into(shown));
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
  test("is this app, and never reads a link as a switch", () => {
    registerLinkScheme();
    expect(vi.mocked(app.setAsDefaultProtocolClient).mock.calls).toEqual([
      ["integrations-explorer", process.execPath, ["/app", "--"]],
    ]);
  });

  test("is left alone by an app with its own profile", () => {
    vi.mocked(app.commandLine.hasSwitch).mockImplementation((name) => name === "user-data-dir");
    registerLinkScheme();
    expect(app.setAsDefaultProtocolClient).not.toHaveBeenCalled();
  });
});
