import fs from "node:fs";
import path from "node:path";
import type { WorkRow } from "../contract/control/world-operations.ts";
import type { Refusal } from "../contract/errors.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import type { OnProgress } from "./work.ts";
import { canceledWork, onThread, WorldReplacedError } from "./work-thread.ts";
import type { WorkKind, WorkRequest, WorkResult } from "./worker.ts";

/** Kinds of work in lists; folding, finishing and packing run unlisted. */
type ListedKind = Exclude<WorkKind, "fold" | "finish" | "pack">;

interface Item {
  readonly id: string;
  readonly kind: ListedKind;
  /** Worlds whose files are read; the first is the subject. */
  readonly worlds: readonly string[];
  readonly to: string | null;
  readonly askedAt: number;
  readonly abort: AbortController;
  progress: number | null;
  ended: Promise<unknown>;
}

/** Reads and writes whole worlds on another thread, one piece of work at a time, so callers aren't delayed. */
export class LongWork {
  /** Folder of unfinished files. The next start removes what a crash left there. */
  readonly #folder: string;
  readonly #items = new Map<string, Item>();
  readonly #stopping = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(dataFolder: string) {
    this.#folder = path.join(dataFolder, "unfinished");
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs work in a temporary folder, which is deleted afterwards. */
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
   * Queues a piece of work.
   *
   * @param worlds worlds whose files it reads, the subject first
   * @param signal cancels it
   * @param to the world that it creates, or null
   */
  run<K extends ListedKind>(
    kind: K,
    worlds: readonly string[],
    input: WorkRequest<K>,
    signal: AbortSignal,
    to: string | null = null,
  ): Promise<WorkResult<K> | Refusal> {
    return this.inTurn(kind, worlds, (any, onProgress) => onThread(kind, input, any, onProgress), signal, to);
  }

  /** Queues work of several parts. @param carryOut must end soon after its signal aborts, with any error */
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
      if (any.aborted) return canceledWork(kind, any);
      throw error;
    } finally {
      this.#items.delete(item.id);
    }
  }

  /** Checkpoints the write-ahead log of a world's file in the background. */
  async fold(file: string): Promise<void> {
    await onThread("fold", { file }, AbortSignal.any([this.#stopping.signal]), () => undefined);
  }

  /** Work in the order of execution. */
  list(): WorkRow[] {
    return [...this.#items.values()].map(({ id, kind, worlds, to, askedAt, progress }) => {
      return { id, kind, world: worlds[0] ?? null, to, asked_at: new Date(askedAt).toISOString(), progress };
    });
  }

  /** Cancels a piece of work; its caller gets a refusal. @returns whether it existed */
  cancel(id: string): boolean {
    const item = this.#items.get(id);
    item?.abort.abort();
    return item !== undefined;
  }

  /** Cancels work that reads a world's files, or all work; resolves when the files are closed. */
  async end(world: string | null): Promise<void> {
    const items = [...this.#items.values()].filter(({ worlds }) => world === null || worlds.includes(world));
    for (const { abort } of items) abort.abort(world === null ? undefined : new WorldReplacedError());
    await Promise.all(items.map(({ ended }) => ended));
    // Lets the callers remove or move their files first.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Cancels everything and accepts no more work. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.end(null);
  }
}
