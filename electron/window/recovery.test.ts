import { EventEmitter } from "node:events";
import { type BrowserWindow, dialog, type MessageBoxOptions } from "electron";
import { beforeEach, expect, test, vi } from "vitest";
import { offerReload } from "./recovery.ts";

// Importing the real package starts a download.
vi.mock("electron", () => ({ app: { getName: () => "Explorer" }, dialog: { showMessageBox: vi.fn() } }));

const ask = vi.mocked(dialog.showMessageBox as unknown as (window: BrowserWindow, box: MessageBoxOptions) => unknown);
beforeEach(() => {
  ask.mockReset();
  vi.spyOn(console, "error").mockReturnValue();
});

function offered(answer: string, url = "http://127.0.0.1/jobs") {
  const load = vi.fn();
  const contents = Object.assign(new EventEmitter(), {
    getURL: () => url,
    reload: vi.fn(),
    forcefullyCrashRenderer: () => contents.emit("render-process-gone", {}, { reason: "killed" }),
  });
  const window = Object.assign(new EventEmitter(), {
    webContents: contents,
    isDestroyed: () => false,
    destroy: vi.fn(),
  });
  ask.mockImplementation(async (_window, { buttons = [], cancelId }) => ({
    response: buttons.includes(answer) ? buttons.indexOf(answer) : cancelId,
  }));
  offerReload(window as unknown as BrowserWindow, load);
  return { window, contents, load };
}
const messages = () => ask.mock.calls.map(([, { message }]) => message);

test("a crashed page can be reloaded in its own window", async () => {
  const { window, contents, load } = offered("Reload");
  contents.emit("render-process-gone", {}, { reason: "crashed" });
  await vi.waitFor(() => expect(contents.reload).toHaveBeenCalledOnce());
  expect(ask.mock.calls[0]?.[0]).toBe(window);
  expect(window.destroy).not.toHaveBeenCalled();
  expect(load).not.toHaveBeenCalled();
});

test("a page that crashed before it loaded is loaded", async () => {
  const { contents, load } = offered("Reload", "");
  contents.emit("render-process-gone", {}, { reason: "crashed" });
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce());
  expect(contents.reload).not.toHaveBeenCalled();
});

test("a crashed page's window can be closed, and a clean exit shows no question", async () => {
  const { window, contents } = offered("Close window");
  contents.emit("render-process-gone", {}, { reason: "clean-exit" });
  expect(ask).not.toHaveBeenCalled();
  contents.emit("render-process-gone", {}, { reason: "oom" });
  await vi.waitFor(() => expect(window.destroy).toHaveBeenCalledOnce());
  expect(contents.reload).not.toHaveBeenCalled();
});

test("a hanging page is ended and reloaded after one question", async () => {
  const { window, contents } = offered("Reload");
  window.emit("unresponsive");
  window.emit("unresponsive");
  await vi.waitFor(() => expect(contents.reload).toHaveBeenCalledOnce());
  expect(messages()).toEqual(["This window isn’t responding"]);
});

test("the question closes without effect when the page responds again", async () => {
  const { window, contents } = offered("");
  ask.mockImplementation(
    (_window, { signal, cancelId }) =>
      new Promise((resolve) => signal?.addEventListener("abort", () => resolve({ response: cancelId }))),
  );
  window.emit("unresponsive");
  window.emit("responsive");
  await vi.waitFor(() => expect(ask.mock.settledResults).toHaveLength(1));
  window.emit("unresponsive");
  expect(ask).toHaveBeenCalledTimes(2);
  expect(contents.reload).not.toHaveBeenCalled();
});
