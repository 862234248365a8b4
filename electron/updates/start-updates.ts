import { app, dialog } from "electron";
import type { AppUpdater } from "electron-updater";
import { proxyTo } from "../../sandbox/scenario/route.ts";
import { readReleases } from "./releases.ts";
import { type Conversation, createUpdates, type Updates } from "./updates.ts";

/** This installation's updates. */
export interface OwnUpdates extends Updates {
  /** Ends the process, and restarts into the new version if the user chose that. */
  leave(exitStatus: number): void;
}

/** Prepares updates; null: this build has no releases. Makes no network call. */
export function startUpdates(): OwnUpdates | null {
  const releases = readReleases();
  if (releases === null) return null;
  const proxy = proxyTo(releases.url, process.env);
  let restarting: AppUpdater | null = null;

  async function load(): Promise<AppUpdater | null> {
    // The portable executable unpacks itself at each start, so it cannot be replaced.
    if (releases === null || process.env.PORTABLE_EXECUTABLE_DIR !== undefined) return null;
    // Loaded late, because most starts don't check.
    const { configure, configureProxy: goThrough } = await import("./signed-releases.ts");
    const { default: library } = await import("electron-updater");
    await goThrough(proxy, library.autoUpdater);
    return configure(library.autoUpdater, releases);
  }

  const updates = createUpdates(
    load,
    conversation,
    (updater) => {
      restarting = updater;
      app.quit();
    },
    proxy?.through,
  );
  return {
    ...updates,
    leave(exitStatus) {
      if (restarting === null || exitStatus !== 0) {
        app.exit(exitStatus);
        return;
      }
      // The new version starts before this process ends.
      app.releaseSingleInstanceLock();
      restarting.quitAndInstall(true, true);
      // The macOS updater ends the process itself.
      if (process.platform !== "darwin") app.exit(0);
    },
  };
}

const conversation: Conversation = {
  offer: (version, notes) =>
    ask({
      message: `Version ${version} is available`,
      detail: `You have version ${app.getVersion()}.\n\n${notes}`,
      buttons: ["Download", "Not now"],
    }),
  offerRestart: (version) =>
    ask({
      message: `Version ${version} is downloaded`,
      detail:
        "It’s installed when you quit. Restarting now closes all windows and discards forms that you haven’t sent. Pending deliveries continue after the restart.",
      buttons: ["Restart and install", "Later"],
    }),
  showNewest: () => show("You have the newest version", `Version ${app.getVersion()}`),
  showCannotUpdate: () =>
    show(
      "This copy can’t update itself",
      "Download the new version and install it the same way as this one. Your data stays.",
    ),
  showProblem: (sentence) => show(`Couldn’t update ${app.getName()}`, sentence),
};

async function ask(box: { message: string; detail: string; buttons: string[] }): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    title: app.getName(),
    defaultId: 0,
    cancelId: 1,
    noLink: true,
    ...box,
  });
  return response === 0;
}

function show(message: string, detail: string): void {
  void dialog.showMessageBox({ title: app.getName(), message, detail });
}
