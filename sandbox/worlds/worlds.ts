import path from "node:path";
import type { GivenCredentials } from "../config.ts";
import { DEFAULT_WORLD } from "../rules/world-name.ts";
import type { OpenOptions } from "../storage/database.ts";
import type { ServiceDatabase, WorldEntry, WorldSummary } from "../storage/service-database.ts";
import { DueWorlds } from "./due-worlds.ts";
import { IndexKeeper } from "./index-keeper.ts";
import { type OpenWorld, OpenWorlds } from "./open-worlds.ts";
import { RetentionKeeper } from "./retention-keeper.ts";
import { searchWorlds } from "./search-worlds.ts";
import { ensureTemplate } from "./template.ts";
import { World, type WorldListeners } from "./world.ts";
import { WorldEntries } from "./world-entries.ts";
import { type KeepFile, nothingKept, WorldFiles } from "./world-files.ts";

export interface WorldsOptions extends OpenOptions {
  readonly folder: string;
  readonly service: ServiceDatabase;
  readonly idleResetMs: number;
  /** Null: the documented demo values. */
  readonly credentials: GivenCredentials | null;
  /** Whether what waits in closed worlds is sent when it is due. */
  readonly deliveries: boolean;
  readonly listeners: WorldListeners & {
    /** A world was seeded anew: everything known of it is stale. */
    readonly reset: (world: World) => void;
    /** A world is gone; `why` in words. */
    readonly removed: (name: string, why: string) => void;
    /** A world was opened in which deliveries may wait. */
    readonly opened: (world: World) => void;
  };
}

const SWEEP_EVERY_MS = 30_000;
/** As many idle worlds are ended at a time as leave the calls of others their turn. */
const ENDED_AT_ONCE = 32;

/** All worlds of a service: one file each, copied from the template when first called. */
export class Worlds {
  readonly #options: WorldsOptions;
  readonly #files: WorldFiles;
  readonly #entries: WorldEntries;
  readonly #due: DueWorlds;
  readonly #indexes: IndexKeeper;
  readonly #retention: RetentionKeeper;
  readonly #open = new OpenWorlds();
  #untouched: WorldSummary | null = null;
  readonly #crashed: readonly string[];
  readonly #timer: NodeJS.Timeout;

  constructor(options: WorldsOptions) {
    this.#options = options;
    const template = ensureTemplate(options.folder, options.credentials);
    this.#files = new WorldFiles(path.join(options.folder, "worlds"), template, options);
    this.#entries = new WorldEntries(options.service);
    this.#due = new DueWorlds(options.service, (name) => void this.existing(name), options.listeners.troubled);
    this.#indexes = new IndexKeeper(options.listeners.troubled);
    this.#retention = new RetentionKeeper(this, options.listeners.troubled);
    const { names, crashed } = this.#files.look();
    this.#crashed = crashed;
    const now = Date.now();
    for (const name of names) {
      if (this.#entries.get(name)) continue;
      this.#entries.set({ name, created_at: now, last_active_at: now, pinned: false, settled: false, summary: null });
    }
    this.#timer = setInterval(() => this.sweep(), SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  /** From now on worlds open by themselves for what is due in them, first those that a crash left unclosed. */
  openDue(): void {
    if (this.#options.deliveries) this.#due.start(this.#crashed);
    // What was never written to has nothing that could be forgotten.
    const closed = this.list().filter(({ name, settled }) => settled && !this.#open.get(name));
    this.#retention.start(closed.map(({ name }) => name));
  }

  /** When the world resets unless it is called before, or null when it never does (D80, D82). */
  resetsAt(entry: WorldEntry): number | null {
    return entry.name === DEFAULT_WORLD || entry.pinned ? null : entry.last_active_at + this.#options.idleResetMs;
  }

  #isIdle(entry: WorldEntry | undefined, now: number): boolean {
    const due = entry ? this.resetsAt(entry) : null;
    return due !== null && now >= due;
  }

  /** The world of a valid name, created or seeded anew where that is due. Counts as a call to it. */
  use(name: string): World {
    const now = Date.now();
    const known = this.#open.get(name);
    if (known) {
      if (now - known.lastActiveAt >= this.#options.idleResetMs && this.#isIdle(this.#note(known), now))
        return this.reset(name);
      known.lastActiveAt = now;
      this.#open.used(known);
      this.#indexes.called(known.world);
      return known.world;
    }
    return this.#isIdle(this.#entries.get(name), now) ? this.reset(name) : this.#openFile(name);
  }

  /** @param counts false: only looked into, which is no call to it */
  #openFile(name: string, counts = true): World {
    const now = Date.now();
    const known = this.#entries.get(name);
    const { db } = this.#files.open(name, now, known?.settled ?? false);
    const world = new World(name, db, this.#options.listeners);
    const open = { world, lastActiveAt: counts ? now : (known?.last_active_at ?? now) };
    this.#entries.set({
      name,
      created_at: db.epoch,
      last_active_at: open.lastActiveAt,
      pinned: known?.pinned ?? false,
      settled: db.settled,
      summary: null,
    });
    this.#due.opened(name);
    this.#retention.opened(name);
    this.#open.used(open);
    this.#closeLeastUsed();
    // Nothing can wait in a world in which nothing was acknowledged.
    if (db.settled) this.#options.listeners.opened(world);
    this.#indexes.called(world);
    return world;
  }

  #closeLeastUsed(): void {
    for (let one = this.#open.oneTooMany(); one; one = this.#open.oneTooMany()) this.#close(one);
  }

  /** Closes a world that was opened to look into it, unless it was called since. */
  closeAgain(world: World, lookedAt: number): void {
    const open = this.#open.get(world.name);
    if (open?.world === world && open.lastActiveAt < lookedAt) this.#close(open);
  }

  /** Closes a world, remembering what is in it and when it has to be opened again for what waits in its outbox. */
  #close(open: OpenWorld): void {
    const { world } = open;
    let nextDueAt: number | null = null;
    world.close(() => {
      nextDueAt = world.nextDueAt();
      this.#retention.closing(world);
      // All worlds in which nothing was acknowledged are the same.
      const summary = (world.db.settled ? null : this.#untouched) ?? world.summary();
      if (!world.db.settled) this.#untouched = summary;
      this.#note(open, summary);
    });
    this.#forget(open);
    this.#due.closed(world.name, nextDueAt);
  }

  /** Takes down how an open world stands. @param summary when it is about to be closed */
  #note({ world, lastActiveAt }: OpenWorld, summary: WorldEntry["summary"] = null): WorldEntry | undefined {
    const entry = this.#entries.get(world.name);
    if (!entry) return undefined;
    const { settled } = world.db;
    if (summary === null && entry.last_active_at === lastActiveAt && entry.settled === settled) return entry;
    const noted = { ...entry, last_active_at: lastActiveAt, settled, summary };
    this.#entries.set(noted);
    return noted;
  }

  #forget(open: OpenWorld): void {
    this.#indexes.forget(open.world);
    this.#open.drop(open);
  }

  /** @param keep is handed the closed file while nothing has happened to it */
  #closeForGood(name: string, keep: KeepFile = nothingKept): void {
    const open = this.#open.get(name);
    if (open) {
      open.world.close();
      this.#forget(open);
    }
    keep(this.#files.place(name));
    this.#due.opened(name);
  }

  /** Seeds a world anew; its subscriptions and pending deliveries end with it (D82). */
  reset(name: string, keep: KeepFile = nothingKept): World {
    return this.#renew(name, keep, () => this.#files.remove(name));
  }

  /** Puts a file that was made ready, and is on disk, in a world's place. */
  replace(name: string, file: string, keep: KeepFile): World {
    return this.#renew(name, keep, () => this.#files.replace(name, file));
  }

  #renew(name: string, keep: KeepFile, renew: () => void): World {
    const entry = this.#entries.get(name);
    if (entry?.settled) {
      // On disk before the new file, which is not there yet: or a power failure would leave one that is missed.
      this.#entries.set({ ...entry, settled: false, summary: null });
      this.#entries.save(true);
    }
    this.#closeForGood(name, keep);
    renew();
    const world = this.#openFile(name);
    this.#options.listeners.reset(world);
    return world;
  }

  /** Keeps a world from resetting when it is idle, or lets it again. */
  pin(name: string, pinned: boolean): void {
    this.use(name);
    const entry = this.#entries.get(name);
    if (entry) this.#entries.set({ ...entry, pinned });
    this.#entries.save(true);
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** Copies a world to a name that has none; what waits to be delivered stays with the original. */
  copy(from: string, to: string): World {
    this.#files.copy(this.use(from).db, to);
    const world = this.#openFile(to);
    world.db.settle();
    world.db.run("DELETE FROM deliveries WHERE status = 'pending'");
    return world;
  }

  /** Ends a world; the next call to its name starts it anew. */
  remove(name: string, keep: KeepFile = nothingKept): void {
    this.#closeForGood(name, keep);
    this.#end([name], "the world was deleted");
    this.#files.syncNames();
  }

  #end(names: readonly string[], why: string): void {
    if (names.length === 0) return;
    this.#entries.end(names);
    for (const name of names) {
      this.#closeForGood(name);
      this.#files.remove(name);
      this.#options.listeners.removed(name, why);
    }
  }

  list(): WorldEntry[] {
    for (const open of this.#open.all()) this.#note(open);
    return [...this.#entries.all()];
  }

  /** The world of a name, if there is one; unlike {@link use} this is no call to it. */
  existing(name: string): World | undefined {
    const open = this.#open.get(name);
    if (open) return open.world;
    return this.#entries.get(name) && this.has(name) ? this.#openFile(name, false) : undefined;
  }

  openWorlds(): World[] {
    return this.#open.all().map((open) => open.world);
  }

  /**
   * Looks into every world, open ones first, until `find` returns something.
   *
   * @param worth whether a closed world of which this is known is worth opening
   */
  search<T>(find: (world: World) => T | undefined, worth = (_: WorldSummary): boolean => true): T | undefined {
    return searchWorlds(this, find, worth);
  }

  /** Ends idle worlds (D82) and writes down when each was last called. What the disk does not take is tried again. */
  sweep(): void {
    const now = Date.now();
    const ended: string[] = [];
    const isNewer = (name: string) => this.#open.get(name) === undefined && this.#files.isNewer(name);
    for (const entry of this.list()) {
      if (ended.length === ENDED_AT_ONCE) break;
      if (this.#isIdle(entry, now) && !isNewer(entry.name)) ended.push(entry.name);
    }
    try {
      this.#end(ended, "the world was idle and has ended; the next call seeds it anew");
      this.#entries.save();
      if (ended.length === ENDED_AT_ONCE) setTimeout(() => this.sweep(), 100).unref();
    } catch (error) {
      this.#options.listeners.troubled(error);
    }
  }

  /** Writes down what can be written: a disk that takes nothing keeps nobody from stopping. */
  close(): void {
    clearInterval(this.#timer);
    for (const background of [this.#due, this.#indexes, this.#retention]) background.stop();
    const steps = this.#open.all().map((open) => () => this.#close(open));
    for (const step of [...steps, () => this.#entries.save()]) {
      try {
        step();
      } catch (error) {
        this.#options.listeners.troubled(error);
      }
    }
  }
}
