import type { WebContents } from "./web-contents.ts";

/** What the rest needs to know of a window. */
export interface OpenWindow {
  readonly webContents: WebContents;
  /** Asks the window whether it may close; resolves to whether it did. */
  closeIfAllowed(): Promise<boolean>;
  focus(): void;
  blur(): void;
}

/** The windows that are open, oldest first. */
export const openWindows = new Set<OpenWindow>();

export const webContentsOf = (targetId: string): WebContents | undefined =>
  [...openWindows].find((window) => window.webContents.hasTarget(targetId))?.webContents;
