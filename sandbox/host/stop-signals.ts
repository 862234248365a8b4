/**
 * Current stop handler. The signal listeners are never replaced, because a signal during the replacement would be lost.
 */
let stop = (): void => process.exit(0);

/**
 * Listens for stop signals, and for the end of a parent with an IPC channel. Exits immediately until {@link onStop}
 * sets a handler.
 */
export const listenForStop = (): void => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop());
  process.once("disconnect", () => stop());
};

export const onStop = (run: () => void): void => {
  stop = run;
};
