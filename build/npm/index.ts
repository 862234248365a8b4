import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { ReadyLine } from "../../sandbox/contract/ready-line.ts";
import { type TestFunction, worldsFor } from "./in-world.ts";
import type { EventType, Expected, Notification, Receiver } from "./receiver.ts";
import {
  type CallBody,
  CallError,
  type CallResult,
  callHeaders,
  freshWorld,
  type LocalReadyLine,
  type OperationId,
  type Side,
  type World,
  webhookSecret,
} from "./world.ts";

export type { CallBody, CallResult, EventType, Expected, Notification, OperationId, ReadyLine, Receiver, Side, World };
export { CallError };

const START_TIME_LIMIT_MS = 30_000;

/** A running sandbox: the fields of its ready line, and helpers for tests. */
export interface Sandbox extends LocalReadyLine {
  /** Webhook secrets of the buyer's and the supplier's integration, the same in every world. */
  readonly webhook_secrets: Readonly<Record<Side, string>>;
  /** Returns a fresh world: a new one, or the named one after a reset. */
  world(name?: string): Promise<World>;
  /** Stops the service and deletes its data. Safe to call more than once. */
  stop(): Promise<void>;
}

/** Options of the start. */
export interface StartOptions {
  /** More options of the command, for example `["--deliveries", "off"]`. */
  readonly args?: readonly string[];
}

/**
 * Starts a sandbox on a free port with a temporary data folder. It ends with this process at the latest.
 *
 * @throws Error with the command's message if it can't start
 */
export async function startSandbox({ args = [] }: StartOptions = {}): Promise<Sandbox> {
  const command = path.join(import.meta.dirname, "sandbox/cli.js");
  const options = ["--port", "0", "--memory", "--log", "silent", ...args];
  const child = spawn(process.execPath, ["--max-semi-space-size=16", command, ...options], {
    env: withoutSettings(process.env),
    // The service stops when the channel closes, so it doesn't outlive a test runner that is killed.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    windowsHide: true,
  });
  const ready = await readReadyLine(child);
  unrefChild(child);
  const secretOf = (side: Side) => webhookSecret(ready.base_url, callHeaders(ready.credentials[side]));
  return {
    ...ready,
    webhook_secrets: { repairer: await secretOf("repairer"), supplier: await secretOf("supplier") },
    world: (name) => freshWorld(ready, name),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      // Keeps an otherwise idle script alive until the service has stopped.
      child.ref();
      child.kill();
      await ended;
    },
  };
}

/**
 * Returns a function for the `test()` of Vitest, Jest or node:test that gets its own world. All tests of a file share a
 * sandbox, which starts with the first of them. If the test fails, its calls are saved: see `World.save`.
 */
export const inWorld: (body: (world: World, sandbox: Sandbox) => Promise<void>) => TestFunction =
  worldsFor(startSandbox);

/** Removes variables that would change the command's options. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("SANDBOX_")));
}

async function readReadyLine(child: ChildProcess): Promise<LocalReadyLine> {
  let [printed, problem] = ["", ""];
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("The sandbox has no output to read.");
  stderr.setEncoding("utf8").on("data", (text: string) => {
    problem += text;
  });
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`The sandbox was not ready within ${START_TIME_LIMIT_MS / 1000} seconds.`));
    }, START_TIME_LIMIT_MS);
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(limit);
      reject(new Error(problem.trim() || "The sandbox ended before it was ready."));
    });
    stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (!printed.includes("\n")) return;
      clearTimeout(limit);
      resolve(JSON.parse(printed));
    });
  });
}

/** Lets a finished test runner end while the service runs; the service then ends, too. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  // Bun's channel has no `unref`.
  child.channel?.unref?.();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null && "unref" in stream && typeof stream.unref === "function") stream.unref();
  }
}
