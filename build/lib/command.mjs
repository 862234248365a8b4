import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { projectEnv, ROOT } from "./project.mjs";

const OLDEST_NODE = [20, 19];
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const FORCE_AFTER_MS = 10_000;
const PARENT_CHECK_MS = 250;

/** A problem that the user can fix, with the fix. Printed without a stack. */
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

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
/** The signal that stopped this process. @type {NodeJS.Signals | null} */
let stoppedBy = null;

/**
 * Runs a command of the project: checks Node's version, prints a {@link Sentence} as one line with an exit status, and
 * forwards stop signals (Ctrl-C, a closed terminal, `kill`) to running programs.
 *
 * @param {() => Promise<number>} command resolves to the exit status
 */
export async function runMain(command) {
  const tooOld = nodeTooOld(process.versions.node);
  if (tooOld !== null) {
    console.error(tooOld);
    process.exit(1);
  }
  for (const signal of SIGNALS) process.on(signal, () => stop(signal));
  if (process.env.npm_lifecycle_event !== undefined) stopWithParent();
  try {
    process.exitCode = await command();
  } catch (error) {
    const isBadOption = String(Object(error).code).startsWith("ERR_PARSE_ARGS_");
    console.error(error instanceof Sentence || isBadOption ? Object(error).message : error);
    process.exitCode = error instanceof Sentence ? error.exitCode : isBadOption ? 2 : 1;
  }
}

/**
 * Returns an error when this Node is too old for the project, or null.
 *
 * @param {string} version for example `20.19.0`
 * @returns {string | null}
 */
export function nodeTooOld(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `Integrations Explorer needs Node ${OLDEST_NODE.join(".")} or newer, and this is Node ${version}: install a newer one from https://nodejs.org and run the command again.`;
}

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  // A terminal and npm both forward the same Ctrl-C.
  if (stoppedBy !== null) return;
  stoppedBy = signal;
  if (running.size === 0) process.exit(128 + constants.signals[signal]);
  // On Windows, a signal kills the process immediately, and the console has already sent its own.
  if (process.platform !== "win32") for (const child of running) child.kill(signal);
  setTimeout(() => {
    console.error("It has not stopped within ten seconds and is ended now.");
    for (const child of running) child.kill("SIGKILL");
  }, FORCE_AFTER_MS).unref();
}

/**
 * Ends this process when npm ends. npm starts commands through a shell, which forwards no signals: when a CI job kills
 * `npm run sandbox` by its process ID, the service would continue.
 */
function stopWithParent() {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    stop("SIGTERM");
  }, PARENT_CHECK_MS);
  check.unref();
}

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] default: the checkout
 * @property {NodeJS.ProcessEnv} [env] default: the project's own Node and tools first on the path
 * @property {"inherit" | "stderr" | "keep" | ((line: string, pid: number) => void)} [output] destination of its output:
 *   this process's own streams, standard error only, the returned value, or a function for lines of its standard output
 * @property {number} [timeLimitMs] ends it after this time
 * @property {boolean} [foreground] it handles stop signals itself, and its status is always returned
 * @property {boolean} [ownGroup] shields it from the terminal's Ctrl-C, so that it receives only forwarded signals
 *
 * @typedef {object} Outcome
 * @property {number} status as a shell reports it
 * @property {boolean} stopped it ended because this process was asked to stop
 * @property {string} output both streams, when kept
 */

/**
 * Runs a program to its end. When this process is asked to stop, it ends together with the program.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Outcome>} rejects only when the program cannot be started
 */
export function run(program, args, options = {}) {
  const { cwd = ROOT, env = projectEnv(ROOT), output = "inherit", timeLimitMs, foreground, ownGroup = false } = options;
  const keepsOutput = output === "keep";
  const onLine = typeof output === "function" ? output : null;
  return new Promise((resolve, reject) => {
    /** @type {import("node:child_process").ChildProcess} */
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: [
        ownGroup || keepsOutput ? "ignore" : 0,
        keepsOutput || onLine ? "pipe" : output === "stderr" ? 2 : 1,
        keepsOutput ? "pipe" : 2,
        // A closed channel tells the service that this process was killed.
        ...(foreground ? [/** @type {const} */ ("ipc")] : []),
      ],
      detached: ownGroup && process.platform !== "win32",
      windowsHide: true,
      timeout: timeLimitMs,
      killSignal: "SIGKILL",
    });
    running.add(child);
    let keptOutput = "";
    if (onLine && child.stdout)
      createInterface({ input: child.stdout }).on("line", (line) => onLine(line, child.pid ?? 0));
    else {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
          keptOutput += text;
        });
      }
    }
    child.once("error", (error) => {
      running.delete(child);
      reject(error);
    });
    child.once("close", (code, signal) => {
      running.delete(child);
      const stopped = stoppedBy !== null;
      if (stoppedBy !== null && !foreground) {
        if (running.size === 0) process.exit(128 + constants.signals[stoppedBy]);
        return;
      }
      resolve({ status: code ?? 128 + (signal ? constants.signals[signal] : 0), stopped, output: keptOutput });
    });
  });
}
