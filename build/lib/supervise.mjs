import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { onStop, Sentence } from "./main.mjs";

const FORCE_AFTER_MS = 10_000;
const READY_WITHIN_MS = 60_000;

/**
 * @typedef {object} Supervised
 * @property {string} program
 * @property {readonly string[]} args
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * Runs a program in the foreground: requests to stop are passed on, once, and its exit status is returned. One that
 * has not stopped ten seconds later is ended.
 *
 * @param {Supervised} command
 * @param {{ ownGroup?: boolean, onLine?: (line: string, pid: number) => void }} [options]
 *   `ownGroup`: keep the terminal's Ctrl-C from it, so that it hears of it from here alone. `onLine`: gets the lines of
 *   its standard output, which is otherwise passed through.
 * @returns {Promise<{ status: number, stopped: boolean }>} `stopped`: it ended because it was asked to
 */
export function supervise({ program, args, cwd, env }, { ownGroup = false, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: [ownGroup ? "ignore" : "inherit", onLine ? "pipe" : "inherit", "inherit"],
      detached: ownGroup && process.platform !== "win32",
    });
    let stopped = false;
    /** @type {NodeJS.Timeout | undefined} */
    let force;
    onStop((signal) => {
      // A terminal and npm both pass the same Ctrl-C on.
      if (stopped) return;
      stopped = true;
      force = setTimeout(() => {
        console.error("It has not stopped within ten seconds and is ended now.");
        child.kill("SIGKILL");
      }, FORCE_AFTER_MS);
      // On Windows a signal ends a process at once; the console has already told it by itself.
      if (process.platform !== "win32") child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
    });
    if (child.stdout !== null && onLine) {
      createInterface({ input: child.stdout }).on("line", (line) => onLine(line, child.pid ?? 0));
    }
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(force);
      resolve({ status: code ?? 128 + (signal ? constants.signals[signal] : 0), stopped });
    });
  });
}

/**
 * What the service says of itself when it can be used.
 *
 * @typedef {{ event: "ready", base_url: string, explorer_url: string, pid: number }} ReadyLine
 */

/**
 * Runs the service until it ends, and tells when it can be used.
 *
 * @param {Supervised} command
 * @param {(ready: ReadyLine, joined: boolean) => void} onReady `joined`: it is another command's service
 * @returns {Promise<number>} the exit status for this command
 */
export async function superviseService(command, onReady) {
  let isReady = false;
  const late = setTimeout(() => {
    console.error("The service has not become ready within a minute; it goes on trying. Ctrl-C stops it.");
  }, READY_WITHIN_MS);
  const { status, stopped } = await supervise(command, {
    ownGroup: true,
    onLine: (line, pid) => {
      const ready = isReady ? null : parseReadyLine(line);
      if (ready === null) return;
      isReady = true;
      clearTimeout(late);
      onReady(ready, ready.pid !== pid);
    },
  });
  clearTimeout(late);
  if (stopped) return 0;
  if (status === 0 && !isReady) throw new Sentence("The service ended before it was ready.");
  return status;
}

/**
 * @param {string} line
 * @returns {ReadyLine | null}
 */
export function parseReadyLine(line) {
  try {
    const value = JSON.parse(line);
    return value?.event === "ready" && typeof value.explorer_url === "string" ? value : null;
  } catch {
    return null;
  }
}
