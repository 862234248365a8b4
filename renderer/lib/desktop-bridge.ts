import type { DesktopBridge } from "../../electron/ipc/channels.ts";

declare global {
  interface Window {
    readonly desktop?: DesktopBridge;
  }
}

/** The few things only the desktop app can do; null in browser mode. Everything else goes over HTTP, in both. */
export const desktopBridge = (): DesktopBridge | null => window.desktop ?? null;

/** Whether the platform's command key is ⌘ (shown in key hints) rather than Ctrl. */
export const isMac = (): boolean => /mac/i.test(desktopBridge()?.platform === "darwin" ? "mac" : navigator.platform);
