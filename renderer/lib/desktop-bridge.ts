import type { DesktopBridge } from "../../electron/ipc/channels.ts";

declare global {
  interface Window {
    readonly desktop?: DesktopBridge;
  }
}

/** Functions that only the desktop app has; null in browser mode. Everything else goes over HTTP, in both. */
export const desktopBridge = (): DesktopBridge | null => window.desktop ?? null;

/** True if the platform's command key is ⌘ (shown in key hints) rather than Ctrl. */
export const isMac = (): boolean => /mac/i.test(desktopBridge()?.platform === "darwin" ? "mac" : navigator.platform);
