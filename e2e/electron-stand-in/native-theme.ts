import { StrictEmitter, strict } from "./not-stood-in.ts";
import { openWindows } from "./open-windows.ts";
import type { WebContents } from "./web-contents.ts";

type ThemeSource = "system" | "light" | "dark";

/** The app's colour scheme. The system's preference is unknown here and counts as light. */
class NativeTheme extends StrictEmitter {
  private source: ThemeSource = "system";

  constructor() {
    super("nativeTheme", ["updated"]);
  }

  get themeSource(): ThemeSource {
    return this.source;
  }

  set themeSource(source: ThemeSource) {
    this.source = source;
    for (const { webContents } of openWindows) void this.applyTo(webContents);
    this.emit("updated");
  }

  get shouldUseDarkColors(): boolean {
    return this.source === "dark";
  }

  /** Sets `prefers-color-scheme` in a page. */
  async applyTo(contents: WebContents): Promise<void> {
    const page = await contents.prepared;
    const value = this.source === "system" ? "" : this.source;
    page.trySend("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
  }
}

export const nativeTheme = strict("nativeTheme", new NativeTheme());
