import { EventEmitter } from "node:events";
import { shell } from "electron";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { confine, restrictPermissions } from "./lockdown.ts";

// Importing the real package starts a download.
vi.mock("electron", () => ({ shell: { openExternal: vi.fn() } }));

const explorer = "http://127.0.0.1:4026";

describe("a confined page", () => {
  const openExplorerWindow = vi.fn();
  let openWindow: (details: { url: string }) => unknown = () => {};
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler(handler: typeof openWindow) {
      openWindow = handler;
    },
  });

  function isPrevented(event: string, details: object = {}): boolean {
    const preventDefault = vi.fn();
    contents.emit(event, { ...details, preventDefault });
    return preventDefault.mock.calls.length > 0;
  }

  beforeEach(() => {
    vi.clearAllMocks();
    contents.removeAllListeners();
    confine(contents as unknown as Parameters<typeof confine>[0], explorer, openExplorerWindow);
  });

  test.each(["will-navigate", "will-redirect"])("stays on the explorer's origin (%s)", (event) => {
    expect(isPrevented(event, { url: `${explorer}/jobs` })).toBe(false);
    expect(isPrevented(event, { url: "https://example.test/" })).toBe(true);
  });

  test("can't embed a webview", () => {
    expect(isPrevented("will-attach-webview")).toBe(true);
  });

  test("can't open other windows; only web addresses open in the default browser", () => {
    expect(openWindow({ url: "https://example.test/docs" })).toEqual({ action: "deny" });
    expect(openWindow({ url: "file:///etc/passwd" })).toEqual({ action: "deny" });
    expect(openWindow({ url: `${explorer}/openapi.json` })).toEqual({ action: "deny" });
    expect(openWindow({ url: "http://127.0.0.1:4026@example.test/jobs" })).toEqual({ action: "deny" });
    expect(vi.mocked(shell.openExternal).mock.calls.flat()).toEqual([
      "https://example.test/docs",
      `${explorer}/openapi.json`,
      "http://127.0.0.1:4026@example.test/jobs",
    ]);
    expect(openExplorerWindow).not.toHaveBeenCalled();
  });

  test("opens explorer addresses in another window of the app", () => {
    expect(openWindow({ url: `${explorer}/jobs/1?world=qa#token=x` })).toEqual({ action: "deny" });
    expect(openExplorerWindow.mock.calls).toEqual([["/jobs/1?world=qa"]]);
    expect(shell.openExternal).not.toHaveBeenCalled();
  });
});

describe("a session's permissions", () => {
  const handlers = {
    setPermissionRequestHandler: vi.fn(),
    setPermissionCheckHandler: vi.fn(),
    setDevicePermissionHandler: vi.fn(),
  };
  beforeEach(() => restrictPermissions(handlers as unknown as Parameters<typeof restrictPermissions>[0], explorer));

  function isGrantedOnRequest(permission: string, requestingUrl: string): boolean {
    const callback = vi.fn();
    handlers.setPermissionRequestHandler.mock.lastCall?.[0](null, permission, callback, {
      requestingUrl,
      isMainFrame: true,
    });
    return callback.mock.lastCall?.[0];
  }
  const isGrantedOnCheck = (permission: string, origin: string): boolean =>
    handlers.setPermissionCheckHandler.mock.lastCall?.[0](null, permission, origin, { isMainFrame: true });

  test("requests and checks allow copying for the explorer", () => {
    expect(isGrantedOnRequest("clipboard-sanitized-write", `${explorer}/jobs/1`)).toBe(true);
    expect(isGrantedOnCheck("clipboard-sanitized-write", `${explorer}/`)).toBe(true);
  });

  test.each(["media", "geolocation", "notifications", "clipboard-read", "loopback-network"])(
    "requests and checks refuse %s",
    (permission) => {
      expect(isGrantedOnRequest(permission, `${explorer}/`)).toBe(false);
      expect(isGrantedOnCheck(permission, `${explorer}/`)).toBe(false);
    },
  );

  test("requests and checks refuse other and invalid origins", () => {
    for (const asker of ["https://example.test/", "", "null"]) {
      expect(isGrantedOnRequest("clipboard-sanitized-write", asker)).toBe(false);
      expect(isGrantedOnCheck("clipboard-sanitized-write", asker)).toBe(false);
    }
  });

  test("all devices are refused", () => {
    expect(handlers.setDevicePermissionHandler.mock.lastCall?.[0]({})).toBe(false);
  });
});
