import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import type { WorkRow } from "../contract/control/work-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import { newId } from "../storage/new-id.ts";
import type { FromWorker, WorkKind, WorkOf, WorkResult } from "./worker.ts";

/** Beside this module, in the same form: source or bundle. */
const WORKER = new URL(`./worker${path.extname(fileURLToPath(import.meta.url))}`, import.meta.url);
/** A document of 256 MiB takes several times as much when it is read. */
const WORKER_MEGABYTES = 4_096;

interface Item {
  readonly id: string;
  readonly kind: WorkKind;
  /** Whose files it reads; the first is the one it is about. */
  readonly worlds: readonly string[];
  readonly askedAt: number;
  readonly abort: AbortController;
  progress: number | null;
  ended: Promise<unknown>;
}

const failed = ({ message, code, stack }: Extract<FromWorker, { failure: unknown }>["failure"]): Error => {
  const error = code?.startsWith("SQLITE_")
    ? new Sqlite.SqliteError(message, code)
    : Object.assign(new Error(message), code === undefined ? {} : { code });
  return Object.assign(error, { stack });
};

/**
 * Work that reads or writes whole worlds, on a thread of its own beside the one that serves callers and windows. One
 * piece is done at a time, by a thread that ends with it: so does the memory it took, and to cancel it is to end it.
 */
export class LongWork {
  /** Where unfinished files lie; what a crash leaves there is cleared away at the next start. */
  readonly #folder: string;
  readonly #items = new Map<string, Item>();
  #last: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(dataFolder: string) {
    this.#folder = path.join(dataFolder, "unfinished");
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs what makes files in a folder that is gone afterwards, with all that was not moved out of it. */
  async within<T>(run: (folder: string) => Promise<T>): Promise<T> {
    const folder = path.join(this.#folder, newId());
    await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await run(folder);
    } finally {
      await fs.promises.rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Carries out a piece of work, after those that were asked for earlier.
   *
   * @param worlds whose files it reads, the one it is about first
   * @param signal cancels it
   */
  async run<K extends WorkKind>(
    kind: K,
    worlds: readonly string[],
    asked: WorkOf<K>,
    signal: AbortSignal,
  ): Promise<WorkResult<K> | Refusal> {
    const item: Item = {
      ...{ id: newId(), kind, worlds, askedAt: Date.now(), progress: null },
      ...{ abort: new AbortController(), ended: this.#last },
    };
    this.#items.set(item.id, item);
    const cancel = (): void => item.abort.abort();
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
    const carriedOut = this.#last.then(() => this.#carryOut(item, asked));
    item.ended = carriedOut.catch(() => undefined);
    this.#last = item.ended;
    try {
      return (await carriedOut) as WorkResult<K> | Refusal;
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#items.delete(item.id);
    }
  }

  #carryOut(item: Item, asked: unknown): Promise<unknown> {
    const { kind, abort } = item;
    const canceled = refuse("unprocessable", `the ${kind} was canceled; nothing was changed`);
    if (this.#stopped || abort.signal.aborted) return Promise.resolve(canceled);
    item.progress = 0;
    const worker = new Worker(WORKER, {
      workerData: { kind, asked },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES },
    });
    return new Promise((resolve, reject) => {
      let end = (): void => resolve(canceled);
      abort.signal.addEventListener("abort", () => void worker.terminate(), { once: true });
      worker.on("message", (said: FromWorker) => {
        if ("progress" in said) item.progress = said.progress;
        else if ("result" in said) end = () => resolve(said.result);
        else if ("refusal" in said) end = () => resolve(refuse(said.refusal.code, said.refusal.message));
        else end = () => reject(failed(said.failure));
      });
      worker.on("error", (error) => {
        const tooLarge = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
        end = () =>
          tooLarge ? resolve(refuse("unprocessable", "the document takes more memory than there is")) : reject(error);
      });
      // Its files are closed then.
      worker.on("exit", () => end());
    });
  }

  /** In the order in which it is done. */
  list(): WorkRow[] {
    return [...this.#items.values()].map(({ id, kind, worlds, askedAt, progress }) => {
      return { id, kind, world: worlds[0] ?? null, asked_at: new Date(askedAt).toISOString(), progress };
    });
  }

  /** Ends a piece of work; whoever asked for it is answered so. @returns whether there is one */
  cancel(id: string): boolean {
    const item = this.#items.get(id);
    item?.abort.abort();
    return item !== undefined;
  }

  /** Ends what reads a world's files, or all there is; resolves when none of it has them open. */
  async end(world: string | null): Promise<void> {
    const items = [...this.#items.values()].filter(({ worlds }) => world === null || worlds.includes(world));
    for (const { abort } of items) abort.abort();
    await Promise.all(items.map(({ ended }) => ended));
    // Whoever waited for it takes its files away, or has them where they belong.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Ends everything, and begins nothing more. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.end(null);
  }
}
