import { app, clipboard, dialog, nativeTheme, shell } from "electron";
import type { AboutDesktop, Theme } from "./ipc/channels.ts";
import type { DesktopActions } from "./ipc/handlers.ts";
import type { MenuActions } from "./menu.ts";

/** What the menu and the explorer can ask of the desktop app; `dataFolder` is the one the service runs on. */
export function createActions(dataFolder: string): { forWindow: DesktopActions; forMenu: MenuActions } {
  const about = (): AboutDesktop => ({
    app: app.getVersion(),
    electron: process.versions.electron,
    chrome: process.versions.chrome,
    node: process.versions.node,
    dataFolder,
  });

  async function openDataFolder(): Promise<void> {
    const problem = await shell.openPath(dataFolder);
    if (problem !== "") throw new Error(`The data folder ${dataFolder} cannot be shown: ${problem}`);
  }

  async function showAbout(): Promise<void> {
    const { app: version, electron, chrome, node } = about();
    const detail = `Electron ${electron}, Chromium ${chrome}, Node ${node}\nData folder: ${dataFolder}`;
    const message = `${app.getName()} ${version}`;
    const { response } = await dialog.showMessageBox({
      type: "info",
      title: "About",
      message,
      detail,
      buttons: ["OK", "Copy"],
    });
    if (response === 1) clipboard.writeText(`${message}\n${detail}`);
  }

  const setTheme = (theme: Theme): void => {
    nativeTheme.themeSource = theme;
  };

  return {
    forWindow: { about, openDataFolder, setTheme },
    forMenu: { openDataFolder: () => void openDataFolder().catch(showProblem), showAbout: () => void showAbout() },
  };
}

function showProblem(error: unknown): void {
  dialog.showErrorBox(app.getName(), error instanceof Error ? error.message : String(error));
}
