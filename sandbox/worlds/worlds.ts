import fs from "node:fs";
import path from "node:path";
import type { GivenCredentials } from "../config.ts";
import { DEFAULT_WORLD, worldFileName, worldOfFile } from "../rules/world-name.ts";
import { Database, type OpenOptions } from "../storage/database.ts";
import type { ServiceDatabase, WorldEntry } from "../storage/service-database.ts";
import { ensureTemplate } from "./template.ts";
import { World, type WorldListeners } from "./world.ts";

export interface WorldsOptions extends OpenOptions {
  readonly folder: string;
  readonly service: ServiceDatabase;
  readonly idleResetMs: number;
  /** Null: the documented demo values. */
  readonly credentials: GivenCredentials | null;
  readonly listeners: WorldListeners & {
    /** A world was seeded anew: everything known of it is stale. */
    readonly reset: (world: World) => void;
    /** A world is gone. */
    readonly removed: (name: string) => void;
    readonly opened: (world: World) => void;
  };
}

/** How many worlds stay open at once; the least used close, and open again when they are called. */
const MOST_OPEN = 300;
const SAVE_EVERY_MS = 30_000;

interface Open {
  readonly world: World;
  entry: WorldEntry;
  saved: boolean;
}

/** All worlds of a service: one file each, copied from the template when first called. */
export class Worlds {
  readonly #options: WorldsOptions;
  readonly #folder: string;
  readonly #template: string;
  /** In the order of use, least used first. */
  readonly #open = new Map<string, Open>();
  readonly #entries: Map<string, WorldEntry>;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: WorldsOptions) {
    this.#options = options;
    this.#folder = path.join(options.folder, "worlds");
    fs.mkdirSync(this.#folder, { recursive: true });
    this.#template = ensureTemplate(options.folder, options.credentials);
    this.#entries = new Map(options.service.worlds().map((entry) => [entry.name, entry]));
    for (const file of fs.readdirSync(this.#folder)) {
      const name = worldOfFile(file);
      if (name && !this.#entries.has(name))
        this.#remember({ name, created_at: Date.now(), last_active_at: Date.now(), pinned: false });
    }
    this.#sweep = setInterval(() => this.sweep(), SAVE_EVERY_MS);
    this.#sweep.unref();
  }

  #file(name: string): string {
    return path.join(this.#folder, worldFileName(name));
  }

  #remember(entry: WorldEntry): void {
    this.#entries.set(entry.name, entry);
    this.#options.service.saveWorld(entry);
  }

  /** When the world resets unless it is called before, or null when it never does (D80, D82). */
  resetsAt(entry: WorldEntry): number | null {
    return entry.name === DEFAULT_WORLD || entry.pinned ? null : entry.last_active_at + this.#options.idleResetMs;
  }

  /** The world of a valid name, created or seeded anew where that is due. Counts as a call to it. */
  use(name: string): World {
    const now = Date.now();
    const known = this.#open.get(name);
    if (known) {
      const due = this.resetsAt(known.entry);
      if (due !== null && now >= due) return this.reset(name);
      known.entry = { ...known.entry, last_active_at: now };
      known.saved = false;
      if (this.#open.size > 1) {
        this.#open.delete(name);
        this.#open.set(name, known);
      }
      return known.world;
    }
    const entry = this.#entries.get(name);
    const due = entry ? this.resetsAt(entry) : null;
    if (due !== null && now >= due) return this.reset(name);
    return this.#openFile(name);
  }

  /** @param counts false: only looked into, which is no call to it */
  #openFile(name: string, counts = true): World {
    const file = this.#file(name);
    if (!fs.existsSync(file)) this.#copyTemplate(file);
    const db = new Database(file, this.#options);
    const now = Date.now();
    // Only a template has no epoch: a copy is dated when it is first opened, also after its making was cut short.
    if (db.epoch === 0) db.epoch = now;
    const known = this.#entries.get(name);
    const world = new World(name, db, this.#options.listeners);
    const entry = {
      name,
      pinned: known?.pinned ?? false,
      created_at: db.epoch,
      last_active_at: counts ? now : (known?.last_active_at ?? now),
    };
    this.#remember(entry);
    this.#open.set(name, { world, entry, saved: true });
    this.#closeLeastUsed();
    this.#options.listeners.opened(world);
    return world;
  }

  /** The copy is on disk before anything in it is acknowledged: a log of changes is worth nothing without its base. */
  #copyTemplate(file: string): void {
    const unfinished = `${file}.new`;
    fs.copyFileSync(this.#template, unfinished);
    if (this.#options.durability === "full") {
      const descriptor = fs.openSync(unfinished, "r+");
      fs.fsyncSync(descriptor);
      fs.closeSync(descriptor);
    }
    fs.renameSync(unfinished, file);
  }

  #closeLeastUsed(): void {
    for (const open of this.#open.values()) {
      if (this.#open.size <= MOST_OPEN) return;
      this.#closeOpen(open);
    }
  }

  /** Closes a world, remembering when it has to be opened again for what waits in its outbox. */
  #closeOpen(open: Open): void {
    this.#save(open);
    this.#options.service.setDue(open.world.name, open.world.stores.outbox.nextDueAt());
    open.world.close();
    this.#open.delete(open.world.name);
  }

  /**
   * Opens the worlds in which a delivery is due soon, without counting it as a call, and those that a crash left with
   * a log, of which nobody could write down what waits in them.
   */
  openDue(): void {
    const crashed = fs
      .readdirSync(this.#folder)
      .flatMap((file) => (file.endsWith("-wal") ? (worldOfFile(file.slice(0, -4)) ?? []) : []));
    for (const name of new Set([...this.#options.service.dueBy(Date.now() + SAVE_EVERY_MS), ...crashed])) {
      this.#options.service.setDue(name, null);
      if (!this.#open.has(name) && fs.existsSync(this.#file(name))) this.#openFile(name, false);
    }
  }

  #save(open: Open): void {
    if (open.saved) return;
    this.#remember(open.entry);
    open.saved = true;
  }

  #closeAndRemove(name: string): number {
    const open = this.#open.get(name);
    const lastId = open?.world.stores.log.lastId() ?? 0;
    open?.world.close();
    this.#open.delete(name);
    for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(this.#file(name) + suffix, { force: true });
    return lastId;
  }

  /** Seeds a world anew; its subscriptions and pending deliveries end with it (D82). */
  reset(name: string): World {
    if (!this.#open.has(name) && fs.existsSync(this.#file(name))) this.#openFile(name);
    const lastId = this.#closeAndRemove(name);
    const world = this.#openFile(name);
    world.stores.log.continueAfter(lastId + 1);
    this.#options.listeners.reset(world);
    return world;
  }

  /** Keeps a world from resetting when it is idle, or lets it again. */
  pin(name: string, pinned: boolean): void {
    this.use(name);
    const open = this.#open.get(name);
    if (!open) return;
    open.entry = { ...open.entry, pinned };
    this.#remember(open.entry);
  }

  has(name: string): boolean {
    return fs.existsSync(this.#file(name));
  }

  /** Copies a world to a name that has none; what waits to be delivered stays with the original. */
  copy(from: string, to: string): World {
    const unfinished = `${this.#file(to)}.new`;
    fs.rmSync(unfinished, { force: true });
    this.use(from).db.handle.prepare("VACUUM INTO ?").run(unfinished);
    fs.renameSync(unfinished, this.#file(to));
    const world = this.#openFile(to);
    world.db.run("DELETE FROM deliveries WHERE status = 'pending'");
    return world;
  }

  /** Ends a world; the next call to its name starts it anew. */
  remove(name: string): void {
    this.#closeAndRemove(name);
    this.#entries.delete(name);
    this.#options.service.removeWorld(name);
    this.#options.listeners.removed(name);
  }

  list(): WorldEntry[] {
    return [...this.#entries.values()].map((entry) => this.#open.get(entry.name)?.entry ?? entry);
  }

  openWorlds(): World[] {
    return [...this.#open.values()].map((open) => open.world);
  }

  /** Looks into every world, open ones first, until `find` returns something. */
  search<T>(find: (world: World) => T | undefined): T | undefined {
    for (const { world } of this.#open.values()) {
      const found = find(world);
      if (found !== undefined) return found;
    }
    for (const name of this.#entries.keys()) {
      if (this.#open.has(name)) continue;
      const found = find(this.#openFile(name, false));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Seeds idle worlds anew and writes down when each was last called. */
  sweep(): void {
    const now = Date.now();
    for (const open of [...this.#open.values()]) {
      const due = this.resetsAt(open.entry);
      if (due !== null && now >= due) this.reset(open.entry.name);
      else this.#save(open);
    }
    this.openDue();
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const open of [...this.#open.values()]) this.#closeOpen(open);
  }
}
