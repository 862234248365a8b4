import type { EventEmitter } from "node:events";
import { app } from "electron";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { quitCleanly } from "./shutdown.ts";

// Importing the real package starts a download.
vi.mock("electron", async () => {
  const { EventEmitter: Emitter } = await import("node:events");
  return { app: Object.assign(new Emitter(), { quit: vi.fn(), exit: vi.fn() }) };
});

const emitter = app as unknown as EventEmitter;
function quit(): void {
  emitter.emit("will-quit", { preventDefault: vi.fn() });
}

describe("a quit", () => {
  beforeEach(() => {
    vi.clearAllMocks();
    emitter.removeAllListeners();
    vi.spyOn(process, "on").mockReturnValue(process);
    vi.spyOn(console, "error").mockReturnValue();
  });

  test("waits until the files are closed, and requests that once", async () => {
    const stopped = Promise.withResolvers<void>();
    const stop = vi.fn(() => stopped.promise);
    quitCleanly(stop);
    quit();
    quit();
    await Promise.resolve();
    expect(app.exit).not.toHaveBeenCalled();
    stopped.resolve();
    await vi.waitFor(() => expect(app.exit).toHaveBeenCalledWith(0));
    expect(stop).toHaveBeenCalledOnce();
  });

  test("ends in the given way after the files are closed, and doesn't delay a later quit", async () => {
    const leave = vi.fn();
    quitCleanly(() => Promise.resolve(), leave);
    quit();
    expect(leave).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(leave).toHaveBeenCalledWith(0));
    const preventDefault = vi.fn();
    emitter.emit("will-quit", { preventDefault });
    expect(preventDefault).not.toHaveBeenCalled();
    expect(app.exit).not.toHaveBeenCalled();
  });

  test("reports an unclean stop of the service and exits with 1", async () => {
    const error = new Error("the disk is gone");
    quitCleanly(() => Promise.reject(error));
    quit();
    await vi.waitFor(() => expect(app.exit).toHaveBeenCalledWith(1));
    expect(console.error).toHaveBeenLastCalledWith("unclean service stop", error);
  });

  test("ends after a time limit", async () => {
    vi.useFakeTimers();
    quitCleanly(() => new Promise(() => {}));
    quit();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(app.exit).toHaveBeenCalledWith(1);
    vi.useRealTimers();
  });

  test.each([
    ["linux", 1],
    ["win32", 1],
    ["darwin", 0],
  ])("happens after the last window closes on %s (%i time)", (platform, times) => {
    vi.spyOn(process, "platform", "get").mockReturnValue(platform as NodeJS.Platform);
    quitCleanly(() => Promise.resolve());
    emitter.emit("window-all-closed");
    expect(app.quit).toHaveBeenCalledTimes(times);
  });
});
