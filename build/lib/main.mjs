import { stopChildren } from "./children.mjs";
import { nodeTooOld } from "./project.mjs";

/** Something a person can mend, in a sentence that says how. Shown without a stack. */
export class Sentence extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.name = "Sentence";
    this.exitCode = exitCode;
  }
}

const PARENT_CHECK_MS = 250;
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const SIGNAL_NUMBER = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** @typedef {(typeof SIGNALS)[number]} StopSignal */

/** @type {((signal: StopSignal) => void) | null} */
let stopHandler = null;
let stopping = false;

/**
 * Takes over what happens when someone asks this process to stop (Ctrl-C, a closed terminal, `kill`). Until then
 * whatever is being installed or built is ended, and the process with it.
 *
 * @param {(signal: StopSignal) => void} handler
 */
export function onStop(handler) {
  stopHandler = handler;
}

/**
 * Runs a command of the project: checks the Node it runs on, turns a {@link Sentence} into one line and an exit
 * status, and leaves no child behind.
 *
 * @param {() => Promise<number>} command resolves to the exit status
 */
export async function runMain(command) {
  const tooOld = nodeTooOld(process.versions.node);
  if (tooOld !== null) {
    console.error(tooOld);
    process.exit(1);
  }
  for (const signal of SIGNALS) process.on(signal, () => void handleStop(signal));
  if (process.env.npm_lifecycle_event !== undefined) stopWithParent();
  try {
    process.exitCode = await command();
  } catch (error) {
    // What fails because it was told to stop is no failure to report.
    if (stopping) return;
    console.error(error instanceof Sentence ? error.message : error);
    process.exitCode = error instanceof Sentence ? error.exitCode : 1;
  }
}

/** @param {StopSignal} signal */
async function handleStop(signal) {
  if (stopHandler !== null) return stopHandler(signal);
  // A terminal and npm both pass the same Ctrl-C on.
  if (stopping) return;
  stopping = true;
  await stopChildren(signal);
  process.exit(128 + SIGNAL_NUMBER[signal]);
}

/**
 * Ends this process when npm ends. npm starts a command through a shell, which passes no signal on: a CI job that ends
 * `npm run sandbox` by its process id would leave the service running.
 */
function stopWithParent() {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    void handleStop("SIGTERM");
  }, PARENT_CHECK_MS);
  check.unref();
}
