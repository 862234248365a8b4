import type { WebContents } from "./web-contents.ts";

/** The part of a window that other modules need. */
export interface OpenWindow {
  readonly webContents: WebContents;
  /** Asks the app whether the window may close; resolves to whether it did. */
  closeIfAllowed(): Promise<boolean>;
  focus(): void;
  blur(): void;
}

/** Open windows, oldest first. */
export const openWindows = new Set<OpenWindow>();

export const findWebContents = (targetId: string): WebContents | undefined =>
  [...openWindows].find((window) => window.webContents.hasTarget(targetId))?.webContents;
