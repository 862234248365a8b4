import type { BrowserWindow } from "electron";

export type HistoryStep = "back" | "forward";

/** Platform names of the keys and mouse buttons for history navigation. */
const commands: Readonly<Record<string, HistoryStep>> = {
  "browser-backward": "back",
  "browser-forward": "forward",
};
/** Cocoa's original convention: a swipe to the left goes back. */
const swipes: Readonly<Record<string, HistoryStep>> = { left: "back", right: "forward" };

/** Navigates one step in a window's history, if possible. */
export function stepThroughHistory({ webContents }: BrowserWindow, step: HistoryStep): void {
  if (step === "back") webContents.navigationHistory.goBack();
  else webContents.navigationHistory.goForward();
}

/** Adds history navigation by side buttons of a mouse (Windows, Linux) and three-finger swipes (macOS). */
export function followHistoryGestures(window: BrowserWindow): void {
  const stepOf = (step: HistoryStep | undefined) => step && stepThroughHistory(window, step);
  window.on("app-command", (_event, command) => stepOf(commands[command]));
  window.on("swipe", (_event, direction) => stepOf(swipes[direction]));
}
