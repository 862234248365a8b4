import Sqlite from "better-sqlite3";
import { app, clipboard, dialog } from "electron";
import { INTERFACE_VERSION } from "../sandbox/contract/operation.ts";
import type { AboutDesktop } from "./ipc/channels.ts";

/** What this installation is made of. */
export function aboutDesktop(dataFolder: string): AboutDesktop {
  const { electron, chrome, node } = process.versions;
  return { app: app.getVersion(), electron, chrome, node, sqlite: sqliteVersion(), api: INTERFACE_VERSION, dataFolder };
}

/** Shows it, to read, to copy into a message, or to go to the data folder from. */
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

/** Asked of the library the service uses: Node has another one of its own. */
function sqliteVersion(): string {
  const handle = new Sqlite(":memory:");
  try {
    return String(handle.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    handle.close();
  }
}
