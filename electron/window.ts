import path from "node:path";
import { app, BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme, screen } from "electron";
import icon from "../build/icon.png?asset";
import { confine } from "./lockdown.ts";
import { backgroundColour } from "./theme.ts";
import { type Bounds, minimumSize, windowBounds } from "./window-bounds.ts";
import { recall, remember } from "./window-memory.ts";

/** The one window of the app and what it remembers. */
export interface ExplorerWindow {
  /** Opens the window, or brings the open one to the front. */
  show(): void;
}

/** Prepares the window on `explorerUrl`; `memoryFile` keeps its place and theme between starts. */
export function createExplorerWindow(explorerUrl: string, memoryFile: string): ExplorerWindow {
  let current: BrowserWindow | null = null;
  nativeTheme.themeSource = recall(memoryFile).theme;

  function open(): BrowserWindow {
    const { bounds, maximized } = recall(memoryFile);
    const window = new BrowserWindow({ ...windowOptions(), ...windowBounds(bounds, workAreas()) });
    confine(window.webContents, new URL(explorerUrl).origin);
    const follow = () => window.setBackgroundColor(backgroundColour());
    nativeTheme.on("updated", follow);
    window.once("ready-to-show", () => {
      if (maximized) window.maximize();
      window.show();
    });
    window.on("close", () => {
      remember(memoryFile, {
        bounds: window.getNormalBounds(),
        maximized: window.isMaximized(),
        theme: nativeTheme.themeSource,
      });
    });
    window.once("closed", () => {
      nativeTheme.off("updated", follow);
      current = null;
    });
    // The service answers before the window exists; a load that fails shows Chromium's own page, and reload mends it.
    window
      .loadURL(explorerUrl)
      .catch((error: unknown) => console.error(`The explorer does not load: ${String(error)}`));
    return window;
  }

  return {
    show() {
      if (current === null) {
        current = open();
        return;
      }
      if (current.isMinimized()) current.restore();
      current.show();
      current.focus();
    },
  };
}

/** Every guard is named even where it is Electron's default: a default is not a promise. */
function windowOptions(): BrowserWindowConstructorOptions {
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

function workAreas(): [Bounds, ...Bounds[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary.workArea, ...others.map((display) => display.workArea)];
}
