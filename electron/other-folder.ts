import path from "node:path";
import { app, dialog } from "electron";
import type { DesktopOptions } from "./desktop-options.ts";

let saying = false;

/** Explains that the running app keeps its data folder, when a further start names another; one dialog at a time. */
export function keepDataFolder(dataFolder: string): void {
  app.on("second-instance", (_event, _argv, _folder, theirs) => {
    const { dataFolder: requested, isChosen } = theirs as DesktopOptions;
    if (!isChosen || isSame(requested, dataFolder) || saying) return;
    saying = true;
    void showFolderKept(requested, dataFolder).finally(() => {
      saying = false;
    });
  });
}

/** Compares like the platform: Windows ignores case. */
const isSame = (one: string, other: string): boolean => path.relative(one, other) === "";

async function showFolderKept(requested: string, current: string): Promise<void> {
  await dialog.showMessageBox({
    type: "info",
    title: app.getName(),
    message: `${app.getName()} is already open with another data folder`,
    detail: `Open now: ${current}\nRequested: ${requested}\n\nTo use the other folder, quit the app and start it again.`,
  });
}
