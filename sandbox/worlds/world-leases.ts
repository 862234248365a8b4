import type { Database } from "../storage/database.ts";
import type { WorldEntry, WorldSummary } from "../storage/service-database.ts";
import { UnavailableWorldError } from "../storage/unavailable-world.ts";
import { NotDurableError } from "../storage/writer.ts";
import { World, type WorldListeners } from "./world.ts";
import type { WorldEntries } from "./world-entries.ts";
import type { WorldFiles } from "./world-files.ts";

/** Is handed a world's closed file, and what is in it, before the world is no more. @returns what drops what was kept: the world stays after all */
export type KeepFile = (file: string, summary: WorldSummary, pinned: boolean) => () => void;

/** An open file, and how many closures are working in it. */
export interface OpenWorld {
  readonly world: World;
  readonly entry: WorldEntry;
  leases: number;
  /** What wants to have the world to itself, run in the turn in which the last lease ends. */
  readonly waiting: (() => void)[];
}

interface LeasesOptions {
  readonly files: WorldFiles;
  readonly entries: WorldEntries;
  /** Is handed a world's file before anybody else works in it. */
  readonly prepare: (name: string, db: Database) => void;
  /** The least used of more are closed, and open again when they are called. */
  readonly most: number;
  /** Folds the log of a file into it, on a thread. */
  readonly fold: (file: string) => Promise<void>;
  readonly listeners: WorldListeners & {
    /** A world's file was opened: deliveries may wait in it. */
    readonly opened: (world: World) => void;
  };
}

/** A world that was just closed is left closed for so long. */
const REST_MS = 1_000;
/**
 * A log that is longer is folded on a thread: in a commit, or when the file is closed, it would hold up everybody. A file
 * that is about to be closed for good is looked at more closely.
 */
const LONG_LOG_BYTES = 4 * 1024 * 1024;
const CLOSED_LOG_BYTES = 1024 * 1024;
/** Each of hundreds waits for the disk when it is closed. A container is killed ten seconds after its signal. */
const CLOSES_MS = 2_000;

/** The worlds whose files are open, the least used first, and who is at work in each. */
export class WorldLeases {
  readonly #options: LeasesOptions;
  readonly #open = new Map<string, OpenWorld>();
  /** Worlds with writes since their log was last checked. */
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

  /** A world whose file is open by now. */
  get(name: string): OpenWorld | undefined {
    return this.#open.get(name);
  }

  /** A world that is there. @throws UnavailableWorldError */
  find(name: string): OpenWorld | undefined {
    return this.#open.get(name) ?? (this.#options.files.has(name) ? this.open(name) : undefined);
  }

  /** The same; undefined also when its file is damaged. */
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
    // A file may be of a world that was made earlier, and copied.
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

  /** Notes that a world was called. */
  touch(open: OpenWorld, at: number): void {
    const { name } = open.world;
    this.#options.entries.touch(open.entry, at);
    this.#open.delete(name);
    this.#open.set(name, open);
  }

  /** Works in a world: its file is open until what the work returns has settled. */
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

  /** Ends a lease: whoever waits to have the world to itself may go on. */
  release(open: OpenWorld): void {
    open.leases -= 1;
    if (open.leases > 0) return;
    for (const waiting of open.waiting.splice(0)) waiting();
    this.#closeLeastUsed();
  }

  /**
   * Does something that has a world to itself: as soon as nobody works in it, and in that very turn, so that nobody can
   * begin before it is done.
   *
   * @param folds whether its file is of use afterwards
   */
  async alone<T>(name: string, act: () => T, folds = true): Promise<T> {
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

  /** Folds the log of an open world on a thread, if it is long. */
  async #fold(name: string, long: number): Promise<void> {
    const { files, fold, listeners } = this.#options;
    const open = this.#open.get(name);
    if (!open) return;
    await this.lease(open, async ({ db }) => {
      try {
        if (files.isDoubted(name) || db.unfoldedBytes() < long) return;
        await fold(files.pathOf(name));
        // What came meanwhile is little; after it the log begins anew.
        db.handle.pragma("wal_checkpoint(PASSIVE)");
      } catch (error) {
        listeners.troubled(error);
      }
    });
  }

  /** Folds the long logs there are. */
  async foldLogs(): Promise<void> {
    if (this.#folding) return;
    this.#folding = true;
    const written = [...this.#written];
    this.#written.clear();
    for (const name of written) await this.#fold(name, LONG_LOG_BYTES);
    this.#folding = false;
  }

  /** @param except about to be used */
  #closeLeastUsed(except?: OpenWorld): void {
    for (const open of this.#open.values()) {
      if (this.#open.size <= this.#options.most) return;
      if (open.leases === 0 && open !== except) this.#close(open);
    }
  }

  /** Closes what can be closed before whoever stops the service ends it; the next start finds the rest whole. */
  closeAll(): void {
    const until = Date.now() + CLOSES_MS;
    for (const open of [...this.#open.values()]) if (Date.now() < until) this.#close(open);
  }

  /** Closes a world and remembers what is in it. Whatever goes wrong with its file is its own matter: it is let go of. */
  #close({ world }: OpenWorld): void {
    const { files, entries, listeners } = this.#options;
    const { name } = world;
    let due: number | null = entries.clock.now();
    let summary: WorldSummary | null = null;
    this.#letGo(world, () => {
      due = world.nextWorkAt();
      summary = world.summary();
    });
    const due_at = due === null ? null : Math.max(due, entries.clock.now() + REST_MS);
    const changed_at = files.changedAt(name);
    entries.put(name, { due_at, closed: summary && { summary, changed_at } });
    try {
      // A restart has to know; of anything else it finds out.
      if (due_at !== null) entries.save(true);
    } catch (error) {
      listeners.troubled(error);
    }
  }

  /** The disk failed to confirm a change of a world: its file is closed as it is, and mended when it is opened again. */
  abandon(world: World): void {
    this.#options.files.doubt(world.name);
    const close = (): void => {
      if (this.#open.get(world.name)?.world === world) this.#open.delete(world.name);
      world.db.abandon();
    };
    this.alone(world.name, close, false).catch(this.#options.listeners.troubled);
  }

  #letGo(world: World, last?: () => void): void {
    this.#open.delete(world.name);
    try {
      world.close(last);
    } catch (error) {
      this.#options.listeners.troubled(error);
    }
  }

  /**
   * Closes a world that is about to be no more.
   *
   * @param keep is not called where nothing intact is there @returns what it returned
   */
  closeForGood(name: string, keep?: KeepFile): (() => void) | undefined {
    const open = keep ? this.findIntact(name) : this.#open.get(name);
    if (!open) return undefined;
    let summary: WorldSummary | undefined;
    this.#letGo(open.world, () => {
      summary = open.world.summary();
    });
    if (summary && keep) this.#options.files.mend(name);
    return summary && keep?.(this.#options.files.pathOf(name), summary, open.entry.pinned);
  }
}
