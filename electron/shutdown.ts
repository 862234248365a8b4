import { app } from "electron";

/**
 * Longest wait for pending requests at quit, in milliseconds. Confirmed writes are on disk, so a timeout loses nothing.
 */
const shutdownTimeoutMs = 10_000;

/**
 * Handles every kind of quit the same way: last window, menu, Ctrl-C, signal. Windows close first, so none shows an
 * explorer without a service; then `stop` closes the files, and `leave` ends the process.
 */
export function quitCleanly(
  stop: () => Promise<void>,
  leave: (exitStatus: number) => void = (exitStatus) => app.exit(exitStatus),
): void {
  let stopping = false;
  let stopped = false;
  app.on("will-quit", (event) => {
    if (stopped) return;
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    void Promise.race([stop().then(() => 0, reportFailure), waitForTimeout()]).then((exitStatus) => {
      stopped = true;
      leave(exitStatus);
    });
  });
  app.on("window-all-closed", () => {
    // On macOS, an app without windows stays in the dock.
    if (process.platform !== "darwin") app.quit();
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.quit());
}

function reportFailure(error: unknown): number {
  console.error("unclean service stop", error);
  return 1;
}

async function waitForTimeout(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, shutdownTimeoutMs));
  return reportFailure(`requests are still in flight after ${shutdownTimeoutMs / 1000} seconds`);
}
