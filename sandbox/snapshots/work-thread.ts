import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import { type Refusal, refuse } from "../contract/errors.ts";
import { registeredSecrets } from "../secrets/masking.ts";
import { realTime } from "../storage/real-time.ts";
import type { FromWorker, ToWorker, WorkKind, WorkRequest, WorkResult } from "./worker.ts";

/** The worker has the same form as this module: source or bundle. */
const WORKER = new URL(`./worker${path.extname(fileURLToPath(import.meta.url))}`, import.meta.url);
/** Parsing a document of 256 MiB takes several times its size. */
const WORKER_MEGABYTES = 4_096;
/** Starting a thread takes longer than most work, but an idle one keeps its memory. */
const IDLE_MS = 5_000;

/** Idle threads, each with the timer that ends it. */
const waiting = new Map<Worker, NodeJS.Timeout>();

const startThread = (): Worker => {
  const worker = new Worker(WORKER, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES } });
  // A thread that ends is no longer idle.
  worker.on("error", () => undefined).on("exit", () => removeWaiting(worker));
  return worker;
};

const removeWaiting = (worker: Worker): void => {
  clearTimeout(waiting.get(worker));
  waiting.delete(worker);
};

const takeThread = (): Worker => {
  const [worker = startThread()] = waiting.keys();
  removeWaiting(worker);
  worker.ref();
  return worker;
};

const leaveThread = (worker: Worker): void => {
  const end = (): void => {
    removeWaiting(worker);
    void worker.terminate();
  };
  worker.unref();
  waiting.set(worker, setTimeout(end, IDLE_MS).unref());
};

const failed = ({ message, code, stack }: Extract<FromWorker, { failure: unknown }>["failure"]): Error => {
  const error = code?.startsWith("SQLITE_")
    ? new Sqlite.SqliteError(message, code)
    : Object.assign(new Error(message), code === undefined ? {} : { code });
  return Object.assign(error, { stack });
};

/** Reason of an abort: the files that the work reads were replaced or deleted. */
export class WorldReplacedError extends Error {}

/** @param signal aborted; its reason says whether somebody cancelled the work */
export const canceledWork = (kind: WorkKind, { reason }: AbortSignal): Refusal =>
  refuse(
    "unprocessable",
    reason instanceof WorldReplacedError
      ? `the ${kind} was cancelled because the world was reset, restored or deleted meanwhile. Nothing was changed. Start it again`
      : `the ${kind} was cancelled. Nothing was changed`,
  );

/**
 * Runs work on a thread, which then stays idle for a while for the next. Cancelling terminates the thread.
 *
 * @returns the result, after its files are closed
 */
export const onThread = <K extends WorkKind>(
  kind: K,
  input: WorkRequest<K>,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<WorkResult<K> | Refusal> => {
  if (signal.aborted) return Promise.resolve(canceledWork(kind, signal));
  const worker = takeThread();
  return new Promise<WorkResult<K> | Refusal>((resolve, reject) => {
    const over = new AbortController();
    const cancel = (): void => void worker.terminate();
    const done = (): void => {
      over.abort();
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    };
    const onMessage = (message: FromWorker): void => {
      if ("progress" in message) {
        onProgress(message.progress);
        return;
      }
      done();
      leaveThread(worker);
      if ("result" in message) resolve(message.result as WorkResult<K>);
      else if ("refusal" in message) resolve(refuse(message.refusal.code, message.refusal.message));
      else reject(failed(message.failure));
    };
    let ended = (): void => resolve(canceledWork(kind, signal));
    const onError = (error: unknown): void => {
      const tooLarge = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
      ended = () =>
        tooLarge
          ? resolve(refuse("unprocessable", "the document needs more memory than this machine has"))
          : reject(error);
    };
    const onExit = (): void => {
      done();
      ended();
    };
    signal.addEventListener("abort", cancel, { once: true, signal: over.signal });
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    const aheadMs = Date.now() - realTime();
    worker.postMessage({ kind, input, secrets: registeredSecrets(), aheadMs } satisfies ToWorker);
  });
};
