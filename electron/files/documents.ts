import { app } from "electron";
import { REPRODUCTION_EXTENSION } from "../../sandbox/contract/scenario-name.ts";
import type { ExplorerWindow } from "../window/explorer-window.ts";
import type { Windows } from "../window/windows.ts";
import { chooseFile, readOpened } from "./file-dialogs.ts";

const kinds = [{ name: "Scenario, reproduction or HAR", extensions: [REPRODUCTION_EXTENSION, "json", "har"] }];

/** Opens a file in a window and adds it to the system's recent documents. Rejects with a sentence. */
export async function openDocument(file: string, windows: Windows, from?: ExplorerWindow): Promise<void> {
  windows.openFile(await readOpened(file), from);
  app.addRecentDocument(file);
}

/** Asks for a scenario, reproduction or HAR, and opens it in the last used window. */
export async function chooseDocument(windows: Windows): Promise<void> {
  const current = windows.current();
  const chosen = await chooseFile(current?.window, kinds);
  if (chosen !== null) await openDocument(chosen, windows, current);
}
