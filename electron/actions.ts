import { app, BrowserWindow, dialog, Menu, nativeTheme, shell, type WebContents } from "electron";
import { aboutDesktop, showAbout } from "./about.ts";
import type { MemoryFile } from "./desktop-memory.ts";
import { chooseDocument } from "./files/documents.ts";
import { openFile, saveFile } from "./files/file-dialogs.ts";
import type { DesktopActions } from "./ipc/handlers.ts";
import { FAILURES_ITEM, type MenuActions } from "./menu/application-menu.ts";
import type { FailureNotices } from "./notices/failure-notices.ts";
import type { Updates } from "./updates/updates.ts";
import type { Windows } from "./window/windows.ts";

/** Dependencies of the actions; `dataFolder` is the running service's. */
export interface ActsOn {
  readonly dataFolder: string;
  readonly windows: Windows;
  readonly memory: MemoryFile;
  readonly notices: FailureNotices;
  /** null: this build has no releases. */
  readonly updates: Updates | null;
}

/** Actions that the explorer's pages can request. */
export function windowActions({ dataFolder, memory, notices }: ActsOn): DesktopActions {
  return {
    about: () => aboutDesktop(dataFolder),
    openDataFolder: () => openFolder(dataFolder),
    setTheme(theme) {
      nativeTheme.themeSource = theme;
      memory.update({ theme });
    },
    notifyOfFailures(on) {
      if (on !== null) {
        notifyOfFailures(on, { memory, notices });
        const item = Menu.getApplicationMenu()?.getMenuItemById(FAILURES_ITEM);
        if (item) item.checked = on;
      }
      return notices.isOn;
    },
    saveFile: (from, suggestedName, content) => saveFile(findWindow(from), suggestedName, content),
    openFile: (from, kinds) => openFile(findWindow(from), kinds),
  };
}

/** Actions of the menu beyond the platform's own roles. */
export function menuActions({ dataFolder, windows, memory, notices, updates }: ActsOn): MenuActions {
  const openDataFolder = () => void openFolder(dataFolder).catch(showProblem);
  return {
    newWindow: () => windows.open("/"),
    openDocument: () => void chooseDocument(windows).catch(showProblem),
    openDataFolder,
    showAbout: () => void showAbout(dataFolder, openDataFolder).catch(showProblem),
    notifyOfFailures: (on) => notifyOfFailures(on, { memory, notices }),
    checkForUpdates: () => void updates?.check(true),
    checkForUpdatesAtStart: (on) => memory.update({ checksForUpdates: on }),
    find: () => windows.current()?.find(),
    zoom: (step) => windows.current()?.zoom(step),
    step: (step) => windows.current()?.step(step),
  };
}

function notifyOfFailures(on: boolean, { memory, notices }: Pick<ActsOn, "memory" | "notices">): void {
  notices.set(on);
  memory.update({ notifiesOfFailures: on });
}

async function openFolder(folder: string): Promise<void> {
  const problem = await shell.openPath(folder);
  if (problem !== "") throw new Error(`Can’t open the data folder ${folder}: ${problem}`);
}

function findWindow(contents: WebContents): BrowserWindow {
  const window = BrowserWindow.fromWebContents(contents);
  if (window === null) throw new Error("The window is already closed.");
  return window;
}

/** Shows an error that belongs to no window. */
export function showProblem(error: unknown): void {
  dialog.showErrorBox(app.getName(), error instanceof Error ? error.message : String(error));
}
