/**
 * What is done when the process is asked to stop. The signals are listened to once, from the first moment to the last: a
 * listener that is replaced loses a signal that arrived a moment before.
 */
let stop = (): void => process.exit(0);

/** Listens for the signals that ask a process to stop; until {@link onStop} says otherwise it ends at once. */
export const listenForStop = (): void => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop());
};

/** From now on this is done instead. */
export const onStop = (run: () => void): void => {
  stop = run;
};
