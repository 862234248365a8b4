import type { Database } from "../storage/database.ts";
import type { WorldEntry, WorldSummary } from "../storage/service-database.ts";
import { UnavailableWorldError } from "../storage/unavailable-world.ts";
import { NotDurableError } from "../storage/writer.ts";
import { World, type WorldListeners } from "./world.ts";
import type { WorldEntries } from "./world-entries.ts";
import type { WorldFiles } from "./world-files.ts";

/**
 * Receives a world's closed file and summary before the world is deleted. @returns a function that drops the kept copy
 * if the deletion fails
 */
export type KeepClosedFile = (file: string, summary: WorldSummary, pinned: boolean) => () => void;

/** An open file, and the number of closures using it. */
export interface OpenWorld {
  readonly world: World;
  readonly entry: WorldEntry;
  leases: number;
  /** Callbacks that need exclusive access. They run in the turn in which the last lease ends. */
  readonly waiting: (() => void)[];
}

interface LeasesOptions {
  readonly files: WorldFiles;
  readonly entries: WorldEntries;
  /** Prepares a world's file before anyone uses it. */
  readonly prepare: (name: string, db: Database) => void;
  /** Limit of open worlds. The least recently used ones are closed, and reopened on a call. */
  readonly most: number;
  /** Checkpoints a file's WAL on a thread. */
  readonly fold: (file: string) => Promise<void>;
  readonly listeners: WorldListeners & {
    /** Called when a world's file was opened, because deliveries may wait in it. */
    readonly opened: (world: World) => void;
  };
}

/** Minimum time a world stays closed after a close. */
const MIN_CLOSED_MS = 1_000;
/**
 * WAL sizes at which a checkpoint moves to a thread. In a commit or a close it would block the event loop. A file about
 * to be closed for good uses the smaller limit.
 */
const LONG_LOG_BYTES = 4 * 1024 * 1024;
const CLOSED_LOG_BYTES = 1024 * 1024;
/**
 * Time limit for closing all worlds: each close waits for the disk, and a container is killed ten seconds after its
 * signal.
 */
const CLOSE_ALL_MS = 2_000;

/** Open worlds, least recently used first, with their leases. */
export class WorldLeases {
  readonly #options: LeasesOptions;
  readonly #open = new Map<string, OpenWorld>();
  /** Worlds with writes since their WAL was last checked. */
  readonly #written = new Set<string>();
  #folding = false;

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  names(): string[] {
    return [...this.#open.keys()];
  }

  all(): IterableIterator<OpenWorld> {
    return this.#open.values();
  }

  isInUse(name: string): boolean {
    return (this.#open.get(name)?.leases ?? 0) > 0;
  }

  /** The world if its file is already open. */
  get(name: string): OpenWorld | undefined {
    return this.#open.get(name);
  }

  /** Opens an existing world. @throws UnavailableWorldError */
  find(name: string): OpenWorld | undefined {
    return this.#open.get(name) ?? (this.#options.files.has(name) ? this.open(name) : undefined);
  }

  /** Like {@link find}; undefined for a damaged file too. */
  findIntact(name: string): OpenWorld | undefined {
    try {
      return this.find(name);
    } catch (error) {
      if (!(error instanceof UnavailableWorldError)) throw error;
      return undefined;
    }
  }

  /** Opens a world's file. @throws UnavailableWorldError */
  open(name: string): OpenWorld {
    const world = this.#worldOf(name);
    const { entries } = this.#options;
    // The file may be a copy of a world created earlier.
    const created_at = Math.max(world.db.epoch, entries.get(name)?.created_at ?? 0);
    const entry = entries.put(name, { created_at, due_at: null, closed: null });
    const open: OpenWorld = { world, entry, leases: 0, waiting: [] };
    this.#open.set(name, open);
    this.#closeLeastUsed(open);
    this.#options.listeners.opened(world);
    return open;
  }

  #worldOf(name: string): World {
    const { files, prepare, listeners } = this.#options;
    const written = (taken: boolean): void => {
      this.#written.add(name);
      listeners.written?.(taken);
    };
    let db: Database | undefined;
    try {
      db = files.open(name);
      prepare(name, db);
      return new World(name, db, { ...listeners, written });
    } catch (error) {
      db?.close();
      throw error instanceof NotDurableError ? error : new UnavailableWorldError(name, error);
    }
  }

  /** Records a call to a world. */
  touch(open: OpenWorld, at: number): void {
    const { name } = open.world;
    this.#options.entries.touch(open.entry, at);
    this.#open.delete(name);
    this.#open.set(name, open);
  }

  /** Runs work in a world. Its file stays open until the result settles. */
  lease<T>(open: OpenWorld, work: (world: World) => T): T {
    open.leases += 1;
    let result: T;
    try {
      result = work(open.world);
    } catch (error) {
      this.release(open);
      throw error;
    }
    if (result instanceof Promise) return result.finally(() => this.release(open)) as T;
    this.release(open);
    return result;
  }

  /** Ends a lease. After the last one, waiting exclusive work runs. */
  release(open: OpenWorld): void {
    open.leases -= 1;
    if (open.leases > 0) return;
    for (const waiting of open.waiting.splice(0)) waiting();
    this.#closeLeastUsed();
  }

  /**
   * Runs an act with exclusive access, in the same turn in which the last lease ends, so that no other work can start
   * before.
   *
   * @param folds whether the file is used afterwards
   */
  async runAlone<T>(name: string, act: () => T, folds = true): Promise<T> {
    if (folds) await this.#fold(name, CLOSED_LOG_BYTES);
    return new Promise<T>((resolve, reject) => {
      const attempt = (): void => {
        const open = this.#open.get(name);
        if (open && open.leases > 0) {
          open.waiting.push(attempt);
          return;
        }
        try {
          resolve(act());
        } catch (error) {
          reject(error);
        }
      };
      attempt();
    });
  }

  /** Checkpoints an open world's WAL on a thread if it exceeds a size. */
  async #fold(name: string, long: number): Promise<void> {
    const { files, fold, listeners } = this.#options;
    const open = this.#open.get(name);
    if (!open) return;
    await this.lease(open, async ({ db }) => {
      try {
        if (files.isDoubted(name) || db.unfoldedBytes() < long) return;
        await fold(files.getPath(name));
        // Few frames were added meanwhile. After this checkpoint the WAL restarts.
        db.handle.pragma("wal_checkpoint(PASSIVE)");
      } catch (error) {
        listeners.onError(error);
      }
    });
  }

  /** Checkpoints all long WALs. */
  async foldLogs(): Promise<void> {
    if (this.#folding) return;
    this.#folding = true;
    const written = [...this.#written];
    this.#written.clear();
    for (const name of written) await this.#fold(name, LONG_LOG_BYTES);
    this.#folding = false;
  }

  /** @param except a world about to be used */
  #closeLeastUsed(except?: OpenWorld): void {
    for (const open of this.#open.values()) {
      if (this.#open.size <= this.#options.most) return;
      if (open.leases === 0 && open !== except) this.#close(open);
    }
  }

  /** Closes as many worlds as the time limit allows. The next start recovers the rest from their WALs. */
  closeAll(): void {
    const until = Date.now() + CLOSE_ALL_MS;
    for (const open of [...this.#open.values()]) if (Date.now() < until) this.#close(open);
  }

  /** Closes a world and stores its summary. File errors are reported and don't keep the world open. */
  #close({ world }: OpenWorld): void {
    const { files, entries, listeners } = this.#options;
    const { name } = world;
    let due: number | null = entries.clock.now();
    let summary: WorldSummary | null = null;
    this.#letGo(world, () => {
      due = world.nextWorkAt();
      summary = world.summary();
    });
    const due_at = due === null ? null : Math.max(due, entries.clock.now() + MIN_CLOSED_MS);
    const changed_at = files.changedAt(name);
    entries.put(name, { due_at, closed: summary && { summary, changed_at } });
    try {
      // Waits for the disk, because the next start needs the due time. It can determine everything else.
      if (due_at !== null) entries.save(true);
    } catch (error) {
      listeners.onError(error);
    }
  }

  /** Closes a world whose disk failed to confirm a change, without a checkpoint. The next open mends the file. */
  abandon(world: World): void {
    this.#options.files.doubt(world.name);
    const close = (): void => {
      if (this.#open.get(world.name)?.world === world) this.#open.delete(world.name);
      world.db.abandon();
    };
    this.runAlone(world.name, close, false).catch(this.#options.listeners.onError);
  }

  #letGo(world: World, last?: () => void): void {
    this.#open.delete(world.name);
    try {
      world.close(last);
    } catch (error) {
      this.#options.listeners.onError(error);
    }
  }

  /**
   * Closes a world that is about to be deleted.
   *
   * @param keep called only for an intact world @returns the result of `keep`
   */
  closeForGood(name: string, keep?: KeepClosedFile): (() => void) | undefined {
    const open = keep ? this.findIntact(name) : this.#open.get(name);
    if (!open) return undefined;
    let summary: WorldSummary | undefined;
    this.#letGo(open.world, () => {
      summary = open.world.summary();
    });
    if (summary && keep) this.#options.files.mend(name);
    return summary && keep?.(this.#options.files.getPath(name), summary, open.entry.pinned);
  }
}
