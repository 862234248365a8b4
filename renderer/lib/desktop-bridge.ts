/** The few things only the desktop app can do. Everything else goes over HTTP, in the app and in a browser alike. */
export interface DesktopBridge {
  readonly platform?: string;
  readonly openDataFolder?: () => Promise<void>;
  readonly openExternal?: (url: string) => Promise<void>;
}

declare global {
  interface Window {
    readonly desktop?: DesktopBridge;
  }
}

/** The bridge in the desktop app, null in browser mode. */
export const desktopBridge = (): DesktopBridge | null => window.desktop ?? null;

/** Whether the platform's command key is ⌘ (shown in key hints) rather than Ctrl. */
export const isMac = (): boolean => /mac/i.test(desktopBridge()?.platform === "darwin" ? "mac" : navigator.platform);
