import { NotStoodIn, strict } from "./not-stood-in.ts";

/** The world outside the app. A test that expects a call here replaces it by a function of its own. */
export const shell = strict("shell", {
  openExternal(url: string): never {
    throw new NotStoodIn(`shell.openExternal("${url}")`);
  },
  openPath(path: string): never {
    throw new NotStoodIn(`shell.openPath("${path}")`);
  },
});

export const clipboard = strict("clipboard", {
  writeText(): never {
    throw new NotStoodIn("clipboard.writeText");
  },
});

const area = { x: 0, y: 0, width: 1920, height: 1080 };
const display = strict("Display", { id: 1, bounds: area, workArea: area });

export const screen = strict("screen", {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
});

/** Chromium cannot ask the app here about permissions; the handlers have unit tests of their own. */
export const session = strict("session", {
  defaultSession: strict("session.defaultSession", {
    setPermissionRequestHandler(): void {},
    setPermissionCheckHandler(): void {},
    setDevicePermissionHandler(): void {},
  }),
});
