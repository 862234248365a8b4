import fs from "node:fs";
import path from "node:path";
import type { WorkRow } from "../contract/control/world-operations.ts";
import type { Refusal } from "../contract/errors.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import type { OnProgress } from "./work.ts";
import { canceledWork, onThread } from "./work-thread.ts";
import type { WorkKind, WorkOf, WorkResult } from "./worker.ts";

/** What is listed: what is folded goes on beside it. */
type ListedKind = Exclude<WorkKind, "fold" | "finish" | "pack">;

interface Item {
  readonly id: string;
  readonly kind: ListedKind;
  /** Whose files it reads; the first is the one it is about. */
  readonly worlds: readonly string[];
  readonly to: string | null;
  readonly askedAt: number;
  readonly abort: AbortController;
  progress: number | null;
  ended: Promise<unknown>;
}

/** Work that reads or writes whole worlds, beside the thread that serves callers and windows, one piece at a time. */
export class LongWork {
  /** Where unfinished files lie; what a crash leaves there is cleared away at the next start. */
  readonly #folder: string;
  readonly #items = new Map<string, Item>();
  readonly #stopping = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

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
   * @param to the world it makes; null: none
   */
  run<K extends ListedKind>(
    kind: K,
    worlds: readonly string[],
    asked: WorkOf<K>,
    signal: AbortSignal,
    to: string | null = null,
  ): Promise<WorkResult<K> | Refusal> {
    return this.inTurn(kind, worlds, (any, onProgress) => onThread(kind, asked, any, onProgress), signal, to);
  }

  /** The same with work of several parts. @param carryOut ends soon after its signal is aborted, with whatever error */
  async inTurn<T>(
    kind: ListedKind,
    worlds: readonly string[],
    carryOut: (signal: AbortSignal, onProgress: OnProgress) => Promise<T>,
    signal: AbortSignal,
    to: string | null,
  ): Promise<T | Refusal> {
    const abort = new AbortController();
    const any = AbortSignal.any([signal, abort.signal, this.#stopping.signal]);
    const item: Item = { id: newId(), kind, worlds, to, askedAt: realTime(), abort, progress: null, ended: this.#last };
    this.#items.set(item.id, item);
    const carriedOut = this.#last.then(() => {
      item.progress = 0;
      return carryOut(any, (progress) => {
        item.progress = progress;
      });
    });
    this.#last = item.ended = carriedOut.catch(() => undefined);
    try {
      return await carriedOut;
    } catch (error) {
      if (any.aborted) return canceledWork(kind);
      throw error;
    } finally {
      this.#items.delete(item.id);
    }
  }

  /** Folds the log of a world's file into it, beside everything else. */
  async fold(file: string): Promise<void> {
    await onThread("fold", { file }, AbortSignal.any([this.#stopping.signal]), () => undefined);
  }

  /** In the order in which it is done. */
  list(): WorkRow[] {
    return [...this.#items.values()].map(({ id, kind, worlds, to, askedAt, progress }) => {
      return { id, kind, world: worlds[0] ?? null, to, asked_at: new Date(askedAt).toISOString(), progress };
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
    this.#stopping.abort();
    return this.end(null);
  }
}
