import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import type { WorkRow } from "../contract/control/work-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import { newId } from "../storage/new-id.ts";
import type { FromWorker, Work, WorkKind, WorkResults } from "./work.ts";

/** Beside this module, in the same form: source or bundle. */
const WORKER = new URL(`./worker${path.extname(fileURLToPath(import.meta.url))}`, import.meta.url);
/** A document of 256 MiB takes several times as much when it is read. */
const WORKER_MEGABYTES = 4_096;

const nouns: Readonly<Record<WorkKind, string>> = {
  copy: "copy",
  restore: "restore",
  export: "export",
  import: "import",
  compare: "comparison",
};

interface Item {
  readonly id: string;
  readonly kind: WorkKind;
  readonly world: string | null;
  /** Another one whose file it reads. */
  readonly other: string | null;
  readonly askedAt: number;
  progress: number | null;
  readonly abort: AbortController;
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
   * @param world whose files it reads; null while that is not known
   * @param signal cancels it
   */
  async run<K extends WorkKind>(
    world: string | null,
    work: Extract<Work, { readonly kind: K }>,
    signal?: AbortSignal,
  ): Promise<WorkResults[K] | Refusal> {
    const id = newId();
    const abort = new AbortController();
    const other = "world" in work ? work.world : null;
    const item: Item = {
      id,
      kind: work.kind,
      world,
      other,
      askedAt: Date.now(),
      progress: null,
      abort,
      ended: this.#last,
    };
    this.#items.set(id, item);
    const cancel = (): void => abort.abort();
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel);
    const carriedOut = this.#last.then(() => this.#carryOut(item, work));
    item.ended = carriedOut.catch(() => undefined);
    this.#last = item.ended;
    try {
      return (await carriedOut) as WorkResults[K] | Refusal;
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#items.delete(id);
    }
  }

  #carryOut(item: Item, work: Work): Promise<WorkResults[WorkKind] | Refusal> {
    if (this.#stopped) item.abort.abort();
    const { signal } = item.abort;
    const canceled = refuse("unprocessable", `the ${nouns[work.kind]} was canceled; nothing was changed`);
    if (signal.aborted) return Promise.resolve(canceled);
    item.progress = 0;
    const worker = new Worker(WORKER, {
      workerData: work,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES },
    });
    return new Promise((resolve, reject) => {
      let end = (): void => resolve(canceled);
      signal.addEventListener("abort", () => void worker.terminate(), { once: true });
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
    return [...this.#items.values()].map(({ id, kind, world, askedAt, progress }) => {
      return { id, kind, world, asked_at: new Date(askedAt).toISOString(), progress };
    });
  }

  /** Ends a piece of work; whoever asked for it is answered so. @returns whether there is one */
  cancel(id: string): boolean {
    const item = this.#items.get(id);
    item?.abort.abort();
    return item !== undefined;
  }

  /** Ends what is done with a world's files; resolves when none of it has them open. */
  end(world: string): Promise<void> {
    return this.#end((item) => item.world === world || item.other === world);
  }

  /** Ends everything that is asked for now. */
  async endAll(): Promise<void> {
    await this.#end(() => true);
    // Whoever waited for it takes its files away, or has them where they belong.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Ends everything, and begins nothing more. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.#end(() => true);
  }

  async #end(which: (item: Item) => boolean): Promise<void> {
    const items = [...this.#items.values()].filter(which);
    for (const { abort } of items) abort.abort();
    await Promise.all(items.map(({ ended }) => ended));
  }
}
