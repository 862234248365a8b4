import os from "node:os";
import path from "node:path";
import { app, dialog, Menu, session } from "electron";
import { defaultDataFolder } from "../sandbox/default-data-folder.ts";
import { createActions } from "./actions.ts";
import { readDesktopOptions } from "./desktop-options.ts";
import { registerHandlers } from "./ipc/handlers.ts";
import { restrictPermissions } from "./lockdown.ts";
import { menuTemplate } from "./menu.ts";
import { type ServiceHost, startServiceHost } from "./service-host.ts";
import { quitCleanly } from "./shutdown.ts";
import { createExplorerWindow } from "./window.ts";

app.enableSandbox();
if (app.requestSingleInstanceLock()) {
  // Electron is ready only after this module has run to its end, so the boot cannot be awaited here.
  void boot().catch(failToStart);
} else {
  console.log(`${app.getName()} is open already: its window comes to the front.`);
  app.exit(0);
}

async function boot(): Promise<void> {
  const userData = app.getPath("userData");
  const { dataFolder } = readDesktopOptions(
    process.argv.slice(1),
    process.env,
    defaultDataFolder(process.platform, process.env, os.homedir()),
  );
  const host = startServiceHost(dataFolder);
  quitCleanly(host.stop);
  await app.whenReady();
  try {
    await openExplorer(host, dataFolder, path.join(userData, "window.json"));
  } catch (error) {
    await host.stop();
    throw error;
  }
}

async function openExplorer(host: ServiceHost, dataFolder: string, memoryFile: string): Promise<void> {
  const { explorer_url } = await host.ready;
  const explorerOrigin = new URL(explorer_url).origin;
  const actions = createActions(dataFolder);
  restrictPermissions(session.defaultSession, explorerOrigin);
  registerHandlers(explorerOrigin, actions.forWindow);
  const explorer = createExplorerWindow(explorer_url, memoryFile);
  app.on("second-instance", () => explorer.show());
  app.on("activate", () => explorer.show());
  explorer.show();
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, app.getName(), actions.forMenu)));
}

/** Says why, where a person sees it: in a dialog, and in the terminal for who started it there. */
function failToStart(error: unknown): void {
  const sentence = error instanceof Error ? error.message : String(error);
  console.error(sentence);
  dialog.showErrorBox(`${app.getName()} cannot start`, sentence);
  app.exit(1);
}
