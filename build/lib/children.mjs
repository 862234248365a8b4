import { spawn } from "node:child_process";

const GRACE_MS = 5_000;
const KEPT_OUTPUT = 64 * 1024;
const OWN_GROUP = process.platform !== "win32";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/**
 * @typedef {object} Outcome
 * @property {number | null} code null when a signal ended it
 * @property {boolean} timedOut
 * @property {string} output the end of what it wrote to both streams, empty when they were inherited
 */

/**
 * Runs a program to its end, in a process group of its own so that whatever it starts ends with it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, timeLimitMs?: number, output?: "keep" | "stdout" | "stderr", onOutput?: () => void, signal?: AbortSignal }} options
 *   `output`: kept and returned, or passed on to this process's own standard output or error. `signal`: ends it.
 * @returns {Promise<Outcome>} rejects only when the program cannot be started
 */
export function run(program, args, { cwd, env = process.env, timeLimitMs, output = "keep", onOutput, signal }) {
  return new Promise((resolve, reject) => {
    const target = output === "keep" ? "pipe" : output === "stdout" ? process.stdout : process.stderr;
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", target, target],
      detached: OWN_GROUP,
      windowsHide: true,
    });
    running.add(child);
    let kept = "";
    let timedOut = false;
    const keep = (/** @type {Buffer} */ chunk) => {
      kept = (kept + chunk.toString("utf8")).slice(-KEPT_OUTPUT);
      onOutput?.();
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    const limit =
      timeLimitMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            signalGroup(child, "SIGKILL");
          }, timeLimitMs);
    const abort = () => signalGroup(child, "SIGKILL");
    signal?.addEventListener("abort", abort);
    const ended = () => {
      clearTimeout(limit);
      signal?.removeEventListener("abort", abort);
      running.delete(child);
    };
    child.once("error", (error) => {
      ended();
      reject(error);
    });
    child.once("close", (code) => {
      ended();
      resolve({ code, timedOut, output: kept });
    });
  });
}

/**
 * Passes a signal on to everything that {@link run} has under way and waits until it has ended.
 *
 * @param {NodeJS.Signals} signal
 */
export async function stopChildren(signal) {
  await Promise.all(
    [...running].map(
      (child) =>
        new Promise((resolve) => {
          const force = setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS);
          child.once("close", () => {
            clearTimeout(force);
            resolve(undefined);
          });
          signalGroup(child, signal);
        }),
    ),
  );
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  try {
    if (OWN_GROUP && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It ended by itself in the meantime.
  }
}
