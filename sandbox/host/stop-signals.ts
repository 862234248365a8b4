/**
 * What is done when the process is asked to stop. The signals are listened to once, from the first moment to the last: a
 * listener that is replaced loses a signal that arrived a moment before.
 */
let stop = (): void => process.exit(0);

/**
 * Listens for what asks a process to stop: a signal, or the end of a parent that keeps a channel to it. Until
 * {@link onStop} says otherwise it ends at once.
 */
export const listenForStop = (): void => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop());
  process.once("disconnect", () => stop());
};

/** From now on this is done instead. */
export const onStop = (run: () => void): void => {
  stop = run;
};
