import path from "node:path";
import { app, type BrowserWindowConstructorOptions, screen } from "electron";
import icon from "../../build/icon.png?asset";
import { backgroundColour } from "./theme.ts";
import { type Bounds, minimumSize } from "./window-bounds.ts";

/** How every window is made. Every guard is named even where it is Electron's default: a default is not a promise. */
export function windowOptions(): BrowserWindowConstructorOptions {
  return {
    title: app.getName(),
    icon,
    show: false,
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    backgroundColor: backgroundColour(),
    webPreferences: {
      preload: path.join(import.meta.dirname, "../preload/preload.cjs"),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      // The spell checker fetches its dictionaries from the internet.
      spellcheck: false,
    },
  };
}

/** The parts of the displays that windows may cover, the primary one's first. */
export function workAreas(): [Bounds, ...Bounds[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary.workArea, ...others.map((display) => display.workArea)];
}
