import Sqlite from "better-sqlite3";
import { app, clipboard, dialog } from "electron";
import { INTERFACE_VERSION } from "../sandbox/contract/operation.ts";
import type { AboutDesktop } from "./ipc/channels.ts";

/** Collects the versions and folders of this installation. */
export function aboutDesktop(dataFolder: string): AboutDesktop {
  const { electron, chrome, node } = process.versions;
  return { app: app.getVersion(), electron, chrome, node, sqlite: sqliteVersion(), api: INTERFACE_VERSION, dataFolder };
}

/** Shows the about dialog, with buttons to copy its text and to open the data folder. */
export async function showAbout(dataFolder: string, openDataFolder: () => void): Promise<void> {
  const about = aboutDesktop(dataFolder);
  const message = `${app.getName()} ${about.app}`;
  const detail = [
    `API version ${about.api}`,
    `SQLite ${about.sqlite}`,
    `Electron ${about.electron}`,
    `Chromium ${about.chrome}`,
    `Node ${about.node}`,
    `Data folder: ${about.dataFolder}`,
  ].join("\n");
  const { response } = await dialog.showMessageBox({
    type: "info",
    title: `About ${app.getName()}`,
    message,
    detail,
    buttons: ["OK", "Copy", "Open data folder"],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 1) await clipboard.writeText(`${message}\n${detail}`);
  if (response === 2) openDataFolder();
}

/** Uses the service's library: Node's own SQLite has another version. */
function sqliteVersion(): string {
  const handle = new Sqlite(":memory:");
  try {
    return String(handle.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    handle.close();
  }
}
