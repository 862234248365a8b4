import path from "node:path";
import { app, type BrowserWindowConstructorOptions, screen } from "electron";
import icon from "../../build/icon.png?asset";
import { backgroundColour } from "./theme.ts";
import { type Bounds, minimumSize } from "./window-bounds.ts";

/** Options of every window. Guards are explicit even where they are Electron's defaults, which may change. */
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
      // The spell checker downloads its dictionaries.
      spellcheck: false,
    },
  };
}

/** The usable areas of the displays, the primary one first. */
export function workAreas(): [Bounds, ...Bounds[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary.workArea, ...others.map((display) => display.workArea)];
}
