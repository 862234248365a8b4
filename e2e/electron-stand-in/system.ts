import { NotSupportedError, strict } from "./not-stood-in.ts";

/** The operating system. A test that expects a call here replaces it. */
export const shell = strict("shell", {
  openExternal(url: string): never {
    throw new NotSupportedError(`shell.openExternal("${url}")`);
  },
  openPath(path: string): never {
    throw new NotSupportedError(`shell.openPath("${path}")`);
  },
});

export const clipboard = strict("clipboard", {
  writeText(): never {
    throw new NotSupportedError("clipboard.writeText");
  },
});

const area = { x: 0, y: 0, width: 1920, height: 1080 };
const display = strict("Display", { id: 1, bounds: area, workArea: area });

export const screen = strict("screen", {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
});

/** Chromium cannot ask the app about permissions here; unit tests cover the handlers. */
export const session = strict("session", {
  defaultSession: strict("session.defaultSession", {
    setPermissionRequestHandler(): void {},
    setPermissionCheckHandler(): void {},
    setDevicePermissionHandler(): void {},
  }),
});
