import type { BrowserWindow } from "electron";

export type HistoryStep = "back" | "forward";

/** What the keys and mouse buttons of the platforms are called that lead through a window's history. */
const commands: Readonly<Record<string, HistoryStep>> = {
  "browser-backward": "back",
  "browser-forward": "forward",
};
/** As Cocoa has it since before pages moved with the fingers: to the left is back. */
const swipes: Readonly<Record<string, HistoryStep>> = { left: "back", right: "forward" };

/** Goes one step through what a window has shown; at either end it stays where it is. */
export function stepThroughHistory({ webContents }: BrowserWindow, step: HistoryStep): void {
  if (step === "back") webContents.navigationHistory.goBack();
  else webContents.navigationHistory.goForward();
}

/** Has the mouse's side buttons (Windows, Linux) and a swipe of three fingers (Mac) lead through a window's history. */
export function followHistoryGestures(window: BrowserWindow): void {
  const stepOf = (step: HistoryStep | undefined) => step && stepThroughHistory(window, step);
  window.on("app-command", (_event, command) => stepOf(commands[command]));
  window.on("swipe", (_event, direction) => stepOf(swipes[direction]));
}
