import { app } from "electron";

/** The longest a quit waits for requests in flight. The files are safe without it: an answered write is on disk. */
const patienceMs = 10_000;

/**
 * Makes every way out the same: the last window, the menu, Ctrl-C, a signal. Windows close first, so that nobody looks
 * at an explorer whose service is gone; then `stop` closes the files; then `leave` ends the process.
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
    void Promise.race([stop().then(() => 0, reportFailure), outOfPatience()]).then((exitStatus) => {
      stopped = true;
      leave(exitStatus);
    });
  });
  app.on("window-all-closed", () => {
    // On a Mac an app without windows stays in the dock.
    if (process.platform !== "darwin") app.quit();
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.quit());
}

function reportFailure(error: unknown): number {
  console.error(`The service does not stop cleanly: ${String(error)}`);
  return 1;
}

async function outOfPatience(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, patienceMs));
  return reportFailure(`requests are still in flight after ${patienceMs / 1000} seconds`);
}
