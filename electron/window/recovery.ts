import { app, type BrowserWindow, dialog } from "electron";

/**
 * Offers to reload a page that crashed or hangs. Typed text is a draft in the browser's storage, and survives.
 *
 * @param load loads the window's address, for a page that crashed before it loaded
 */
export function offerReload(window: BrowserWindow, load: () => void): void {
  const contents = window.webContents;
  let reloads = false;
  let waiting: AbortController | null = null;

  /** Loading the address again would add an entry to the history, and the first Back would seem to do nothing. */
  function reload(): void {
    if (contents.getURL() === "") load();
    else contents.reload();
  }

  async function askAfterEnd(): Promise<void> {
    const { response } = await dialog.showMessageBox(window, {
      type: "error",
      title: app.getName(),
      message: "This window stopped working",
      detail: "Reload it to continue where you were. What you typed is kept as a draft.",
      buttons: ["Reload", "Close window"],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (window.isDestroyed()) return;
    if (response === 0) reload();
    else window.destroy();
  }

  async function askWhileHanging(): Promise<void> {
    waiting = new AbortController();
    const { response } = await dialog.showMessageBox(window, {
      type: "warning",
      title: app.getName(),
      message: "This window isn’t responding",
      detail: "Wait for it, or reload it. What you typed is kept as a draft.",
      buttons: ["Wait", "Reload"],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal: waiting.signal,
    });
    waiting = null;
    if (response === 0 || window.isDestroyed()) return;
    // A page that hangs ignores a reload, so its process must end first.
    reloads = true;
    contents.forcefullyCrashRenderer();
  }

  contents.on("render-process-gone", (_event, { reason }) => {
    if (reason === "clean-exit") return;
    waiting?.abort();
    console.error("page process ended", { reason });
    if (reloads) reload();
    else void askAfterEnd();
    reloads = false;
  });
  window.on("unresponsive", () => {
    if (waiting === null) void askWhileHanging();
  });
  window.on("responsive", () => waiting?.abort());
}
