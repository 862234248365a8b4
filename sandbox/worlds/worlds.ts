import path from "node:path";
import type { GivenCredentials } from "../config.ts";
import { nearestNames } from "../contract/nearest-names.ts";
import { DEFAULT_WORLD } from "../rules/world-name.ts";
import type { Database, OpenOptions } from "../storage/database.ts";
import { OtherVersionError } from "../storage/migrate.ts";
import type { ServiceDatabase, WorldEntry, WorldSummary } from "../storage/service-database.ts";
import { UnavailableWorldError } from "../storage/unavailable-world.ts";
import { NotDurableError, type Undo } from "../storage/writer.ts";
import { Retention } from "./retention.ts";
import { ensureTemplate, seededInMemory } from "./template.ts";
import { type Append, World, type WorldListeners } from "./world.ts";
import { WorldEntries } from "./world-entries.ts";
import { type KeepFile, nothingKept, WorldFiles } from "./world-files.ts";

export interface WorldsOptions extends OpenOptions {
  readonly folder: string;
  readonly service: ServiceDatabase;
  readonly idleResetMs: number;
  /** D85. */
  readonly mostWorlds: number;
  /** The least used of more are closed, and open again when they are called. */
  readonly mostOpen: number;
  /** Null: the documented demo values. */
  readonly credentials: GivenCredentials | null;
  /** Whether what waits in closed worlds is sent when it is due. */
  readonly deliveries: boolean;
  readonly listeners: Pick<WorldListeners, "published" | "troubled"> & {
    /** A world is what the seed or a snapshot says: everything known of it is stale. */
    readonly reset: (name: string, to: "seed" | "snapshot") => void;
    /** A world is gone; `why` in words. */
    readonly removed: (name: string, why: string) => void;
    /** A world was opened in which deliveries may wait. */
    readonly opened: (world: World) => void;
  };
}

/** D85: a world was to be read that is not there. */
export class NoSuchWorldError extends Error {
  constructor(name: string, nearest: readonly string[]) {
    const meant = nearest.length === 0 ? "A call with a key makes it." : `Did you mean ${nearest.join(", ")}?`;
    super(`There is no world ${name}. ${meant}`);
    this.name = "NoSuchWorldError";
  }
}

/** D85: there are as many worlds as there may be. */
export class TooManyWorldsError extends Error {
  constructor(most: number) {
    super(`There are ${most} worlds already, which is the most there may be. Use or delete one of them.`);
    this.name = "TooManyWorldsError";
  }
}

/** An open file, and how many closures are working in it. */
interface OpenWorld {
  readonly world: World;
  /** Milliseconds since 1970. */
  lastActiveAt: number;
  leases: number;
  /** Called when the last lease has ended. */
  readonly waiting: (() => void)[];
}

const SWEEP_EVERY_MS = 30_000;
/** As many idle worlds are ended at a time as leave time for the calls of others. */
const ENDED_AT_ONCE = 32;
/** How often closed worlds are looked through for those in which a delivery is due, and how many are opened at a time. */
const DUE_EVERY_MS = 250;
const OPENED_AT_ONCE = 16;
/** A world that was just closed is left closed for so long, and one that did not open. */
const REST_MS = 1_000;
const AGAIN_AFTER_MS = 30_000;
/** So long ago a write succeeded that the disk is asked again whether it takes one. */
const WRITTEN_LATELY_MS = 1_000;

/**
 * All worlds of a service: one file each, copied from the template when first called, the most used open.
 *
 * A world is used only inside a closure that is handed it ({@link use}, {@link read}, {@link transact}, …): its file stays
 * open until what the closure returns has settled. What ends a file (a reset, a restore, a deletion) waits for the
 * closures that are at work. Whoever needs a world later names it again.
 */
export class Worlds {
  readonly #options: WorldsOptions;
  readonly #files: WorldFiles;
  readonly #entries: WorldEntries;
  readonly #retention: Retention;
  /** Least used first. */
  readonly #open = new Map<string, OpenWorld>();
  #seed: World | null = null;
  #writtenAt = 0;
  readonly #timers: NodeJS.Timeout[];

  constructor(options: WorldsOptions) {
    this.#options = options;
    const template = ensureTemplate(options.folder, options.credentials);
    this.#files = new WorldFiles(path.join(options.folder, "worlds"), template, options);
    this.#entries = new WorldEntries(options.service);
    this.#retention = new Retention(this, options.listeners.troubled);
    const { names, crashed } = this.#files.look();
    const now = Date.now();
    const unknown = { created_at: now, last_active_at: now, pinned: false, due_at: null, closed: null };
    for (const name of names) if (!this.#entries.get(name)) this.#entries.set({ ...unknown, name });
    // Nobody could write down what waits in them.
    for (const name of crashed) this.#change(name, { due_at: 0, closed: null });
    this.#timers = [setInterval(() => this.sweep(), SWEEP_EVERY_MS).unref()];
  }

  /** From now on worlds open by themselves for what is due in them. */
  openDue(): void {
    if (this.#options.deliveries) this.#timers.push(setInterval(() => this.#openDue(), DUE_EVERY_MS).unref());
    this.#retention.start();
  }

  /**
   * Works in the world of a valid name, made when there is none. Counts as a call to it.
   *
   * @param work the world's file is open until what it returns has settled
   * @throws UnavailableWorldError @throws TooManyWorldsError
   */
  use<T>(name: string, work: (world: World) => T): T {
    return this.#lease(this.#called(name) ?? this.#made(name), work);
  }

  /** The same where the world is there; undefined where it is not. Counts as a call to it. @throws UnavailableWorldError */
  read<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#called(name);
    return open && this.#lease(open, work);
  }

  /** Works in the world of a name, if it is there, without counting as a call. @throws UnavailableWorldError */
  look<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#existing(name);
    return open && this.#lease(open, work);
  }

  /** The same, and undefined also when its file is damaged. */
  lookIfIntact<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#intact(name);
    return open && this.#lease(open, work);
  }

  /** The same, and only where the file is open by now. */
  lookIfOpen<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#open.get(name);
    return open && this.#lease(open, work);
  }

  /**
   * Writes in the world of a valid name, made when there is none: see {@link World.write}.
   *
   * @throws UnavailableWorldError @throws TooManyWorldsError @throws NotDurableError
   */
  transact<T>(name: string, run: (world: World, append: Append) => T | Undo<T>): Promise<T> {
    return this.use(name, (world) => world.write((append) => run(world, append)));
  }

  /**
   * Works in what may never be needed: the world is opened, or made, when it is first asked for.
   *
   * @param makes false: one that is not there is not made; the default always is (D85)
   * @param work its worlds' files are open until what it returns has settled @throws NoSuchWorldError
   */
  async lazily<T>(name: string, makes: boolean, work: (world: () => World) => T | Promise<T>): Promise<T> {
    let held: OpenWorld | undefined;
    try {
      return await work(() => {
        if (!held) {
          held = this.#called(name) ?? (makes || name === DEFAULT_WORLD ? this.#made(name) : this.#missing(name));
          held.leases += 1;
        }
        return held.world;
      });
    } finally {
      if (held) this.#ended(held);
    }
  }

  /**
   * Works in the world a partner's call is for (D85).
   *
   * @param accepts whether the call may make the world when there is none, judged by the seed
   * @param work is handed the seed for a call that may not: it refuses that as a new world would
   */
  forCall<T>(name: string, accepts: (seed: World) => boolean, work: (world: World) => T): T {
    const open = this.#called(name);
    if (open) return this.#lease(open, work);
    return accepts(this.seed) ? this.use(name, work) : work(this.seed);
  }

  #lease<T>(open: OpenWorld, work: (world: World) => T): T {
    open.leases += 1;
    let result: T;
    try {
      result = work(open.world);
    } catch (error) {
      this.#ended(open);
      throw error;
    }
    if (result instanceof Promise) return result.finally(() => this.#ended(open)) as T;
    this.#ended(open);
    return result;
  }

  #ended(open: OpenWorld): void {
    open.leases -= 1;
    if (open.leases > 0) return;
    for (const waiting of open.waiting.splice(0)) waiting();
    if (this.#open.size > this.#options.mostOpen) this.#closeLeastUsed();
  }

  /** Resolves when nobody works in a world: what follows at once has it to itself. */
  async #alone(name: string): Promise<void> {
    for (;;) {
      const open = this.#open.get(name);
      if (!open || open.leases === 0) return;
      await new Promise<void>((resolve) => open.waiting.push(resolve));
    }
  }

  /** What every new world is like: calls that may not make one are judged by it (D85). Nothing may be changed in it. */
  get seed(): World {
    const quiet = { published: () => undefined, troubled: this.#options.listeners.troubled };
    this.#seed ??= new World("seed", seededInMemory(this.#options.credentials), quiet);
    return this.#seed;
  }

  isSeed(world: World): boolean {
    return world === this.#seed;
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** When the world resets unless it is called before, or null when it never does (D80, D82). */
  resetsAt(entry: WorldEntry): number | null {
    return entry.name === DEFAULT_WORLD || entry.pinned ? null : entry.last_active_at + this.#options.idleResetMs;
  }

  #isIdle(entry: WorldEntry, now: number): boolean {
    const due = this.resetsAt(entry);
    return due !== null && now >= due && !this.#open.get(entry.name)?.leases;
  }

  #change(name: string, change: Partial<WorldEntry>): WorldEntry | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const changed = { ...entry, ...change };
    this.#entries.set(changed);
    return changed;
  }

  /** The world of a name, if there is one, seeded anew where that is due. */
  #called(name: string): OpenWorld | undefined {
    const now = Date.now();
    const open = this.#open.get(name);
    const entry = open && now - open.lastActiveAt < this.#options.idleResetMs ? undefined : this.#noted(name);
    if (entry && this.#isIdle(entry, now)) return this.#reseed(name, nothingKept);
    if (!open) return this.has(name) ? this.#announced(this.#openFile(name)) : undefined;
    open.lastActiveAt = now;
    this.#used(open);
    return open;
  }

  #existing(name: string): OpenWorld | undefined {
    return this.#open.get(name) ?? (this.has(name) ? this.#announced(this.#openFile(name, false)) : undefined);
  }

  #intact(name: string): OpenWorld | undefined {
    try {
      return this.#existing(name);
    } catch (error) {
      if (!(error instanceof UnavailableWorldError)) throw error;
      return undefined;
    }
  }

  #made(name: string): OpenWorld {
    this.#admit(name);
    this.#files.create(name, Date.now());
    return this.#openFile(name);
  }

  #missing(name: string): never {
    throw new NoSuchWorldError(
      name,
      nearestNames(
        name,
        [...this.#entries.all()].map((entry) => entry.name),
      ),
    );
  }

  /** @throws NoSuchWorldError */
  mustHave(name: string): void {
    if (name !== DEFAULT_WORLD && !this.has(name)) this.#missing(name);
  }

  #admit(name: string): void {
    const { mostWorlds } = this.#options;
    if (!this.#entries.get(name) && this.#entries.size >= mostWorlds) throw new TooManyWorldsError(mostWorlds);
  }

  /** Says of a world that was there before that it is open. */
  #announced(open: OpenWorld): OpenWorld {
    this.#options.listeners.opened(open.world);
    return open;
  }

  /** @param counts false: only looked into, which is no call to it */
  #openFile(name: string, counts = true): OpenWorld {
    const now = Date.now();
    const known = this.#entries.get(name);
    const world = this.#openWorld(name);
    const lastActiveAt = counts ? now : (known?.last_active_at ?? now);
    const open: OpenWorld = { world, lastActiveAt, leases: 0, waiting: [] };
    this.#entries.set({
      name,
      created_at: world.db.epoch,
      last_active_at: lastActiveAt,
      pinned: known?.pinned ?? false,
      due_at: null,
      closed: null,
    });
    this.#used(open);
    this.#closeLeastUsed(open);
    return open;
  }

  #openWorld(name: string): World {
    let db: Database | undefined;
    try {
      db = this.#files.open(name);
      const { published, troubled } = this.#options.listeners;
      const written = (taken: boolean): void => {
        this.#writtenAt = taken ? Date.now() : 0;
      };
      return new World(name, db, { published, troubled, written });
    } catch (error) {
      db?.close();
      throw new UnavailableWorldError(name, error);
    }
  }

  #used(open: OpenWorld): void {
    this.#open.delete(open.world.name);
    this.#open.set(open.world.name, open);
  }

  /** @param except about to be used */
  #closeLeastUsed(except?: OpenWorld): void {
    for (const open of this.#open.values()) {
      if (this.#open.size <= this.#options.mostOpen) return;
      if (open.leases === 0 && open !== except) this.#close(open);
    }
  }

  /** Closes a world and remembers what is in it. Whatever goes wrong with its file is its own matter: it is let go of. */
  #close(open: OpenWorld): void {
    const { world } = open;
    let closed: Pick<WorldEntry, "due_at"> & { readonly summary: WorldSummary | null; readonly installed: string[] } = {
      due_at: Date.now(),
      summary: null,
      installed: [],
    };
    try {
      world.close(() => {
        closed = {
          due_at: world.nextDueAt(),
          summary: world.summary(),
          installed: world.stores.credentials.installed(),
        };
      });
    } catch (error) {
      this.#options.listeners.troubled(error);
    }
    this.#open.delete(world.name);
    const { summary, installed } = closed;
    const due_at = closed.due_at === null ? null : Math.max(closed.due_at, Date.now() + REST_MS);
    const changed_at = this.#files.changedAt(world.name);
    this.#change(world.name, {
      last_active_at: open.lastActiveAt,
      due_at,
      closed: summary && { summary, installed, changed_at },
    });
    try {
      // A restart has to know; of anything else it finds out.
      if (due_at !== null) this.#entries.save(true);
    } catch (error) {
      this.#options.listeners.troubled(error);
    }
  }

  /** @param keep is handed the closed file while nothing has happened to it */
  #closeForGood(name: string, keep: KeepFile): void {
    const open = this.#open.get(name);
    if (open) {
      this.#open.delete(name);
      try {
        open.world.close();
      } catch (error) {
        this.#options.listeners.troubled(error);
      }
    }
    if (this.has(name)) keep(this.#files.pathOf(name));
  }

  /** Seeds a world anew; its subscriptions and pending deliveries end with it (D82). */
  async reset(name: string, keep: KeepFile = nothingKept): Promise<void> {
    this.#admit(name);
    await this.#alone(name);
    this.#reseed(name, keep);
  }

  #reseed(name: string, keep: KeepFile): OpenWorld {
    const open = this.#renew(name, keep, () => this.#files.create(name, Date.now()));
    this.#options.listeners.reset(name, "seed");
    return open;
  }

  /** Replaces a world's file by one that was made ready and is on disk. When it fails the world is what it was. */
  async replace(name: string, file: string, keep: KeepFile): Promise<void> {
    this.#admit(name);
    await this.#alone(name);
    let putBack = (): void => undefined;
    try {
      this.#renew(name, keep, () => {
        putBack = this.#files.replace(name, file);
      });
      this.#options.listeners.reset(name, "snapshot");
    } catch (error) {
      this.#closeForGood(name, nothingKept);
      putBack();
      throw error;
    }
  }

  /** Makes a world of a file that was made ready, and is on disk; nothing waits to be delivered in it. */
  adopt(name: string, file: string): void {
    this.#admit(name);
    this.#files.replace(name, file);
    this.#announced(this.#openFile(name));
  }

  #renew(name: string, keep: KeepFile, renew: () => void): OpenWorld {
    this.#closeForGood(name, keep);
    try {
      renew();
    } catch (error) {
      throw error instanceof OtherVersionError ? new UnavailableWorldError(name, error) : error;
    }
    return this.#announced(this.#openFile(name));
  }

  /** What a world's file takes on disk. */
  bytesOf(name: string): number {
    return this.#files.bytesOf(name);
  }

  /** Where a world's file lies: who reads it beside the world gives way to whoever ends it. */
  fileOf(name: string): string {
    return this.#files.pathOf(name);
  }

  /** Writes a world's file as it was when the world was made or reset, to where there is none. */
  seedFile({ db }: World, file: string): void {
    this.#files.seed(file, db.epoch);
  }

  isPinned(name: string): boolean {
    return this.#entries.get(name)?.pinned ?? false;
  }

  /** Keeps a world from resetting when it is idle, or lets it again. */
  pin(name: string, pinned: boolean): void {
    this.use(name, () => undefined);
    this.#change(name, { pinned });
    this.#entries.save(true);
  }

  /** Lets a world be as if nobody had called it for so long, in milliseconds (D82). */
  idle(name: string, ms: number): void {
    this.use(name, () => undefined);
    const last_active_at = Date.now() - ms;
    const open = this.#open.get(name);
    if (open) open.lastActiveAt = last_active_at;
    this.#change(name, { last_active_at });
  }

  /** Ends a world; the next call to its name starts it anew. */
  async remove(name: string, keep: KeepFile = nothingKept): Promise<void> {
    if (!this.#open.has(name) && this.#files.isOtherVersion(name)) this.#openWorld(name);
    await this.#alone(name);
    this.#closeForGood(name, keep);
    this.#end([name], "the world was deleted");
    this.#files.syncNames();
  }

  /**
   * Ends every world; the default begins anew at once.
   *
   * @returns those that are left as they are, because another version wrote their file
   */
  async removeAll(): Promise<string[]> {
    const names = [...this.#entries.all()].map(({ name }) => name);
    const left = names.filter((name) => this.#files.isOtherVersion(name));
    for (const name of names) {
      if (name === DEFAULT_WORLD || left.includes(name)) continue;
      await this.#alone(name);
      this.#end([name], "everything was erased");
    }
    if (!left.includes(DEFAULT_WORLD)) await this.reset(DEFAULT_WORLD);
    this.#files.syncNames();
    this.#entries.save(true);
    return left;
  }

  /** @throws what the first failed with that could not be removed, which is listed still; the others are ended */
  #end(names: readonly string[], why: string): void {
    if (names.length === 0) return;
    const entries = names.flatMap((name) => this.#entries.get(name) ?? []);
    this.#entries.end(names);
    const failures: unknown[] = [];
    for (const entry of entries) {
      try {
        this.#closeForGood(entry.name, nothingKept);
        this.#files.remove(entry.name);
        this.#options.listeners.removed(entry.name, why);
      } catch (error) {
        this.#entries.set(entry);
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** What is known of every world. */
  list(): WorldEntry[] {
    return [...this.#entries.all()].flatMap(({ name }) => this.#noted(name) ?? []);
  }

  /** What is known of a world, the last call to it included. */
  #noted(name: string): WorldEntry | undefined {
    const entry = this.#entries.get(name);
    const open = this.#open.get(name);
    return !open || entry?.last_active_at === open.lastActiveAt
      ? entry
      : this.#change(name, { last_active_at: open.lastActiveAt });
  }

  /** What is in a world: as it is, or as it was when it was closed, unless its file changed since. @throws UnavailableWorldError */
  summaryOf({ name, closed }: WorldEntry): WorldSummary | undefined {
    const known = closed && closed.changed_at === this.#files.changedAt(name);
    if (known) return closed.summary;
    const open = this.#existing(name);
    try {
      return open?.world.summary();
    } catch (error) {
      throw new UnavailableWorldError(name, error);
    }
  }

  /** Returns once the disk has accepted a write, or did a moment ago. @throws NotDurableError */
  checkWritable(): void {
    if (Date.now() - this.#writtenAt < WRITTEN_LATELY_MS) return;
    try {
      this.#options.service.checkWritable();
      this.#writtenAt = Date.now();
    } catch (error) {
      throw new NotDurableError(error);
    }
  }

  /** The names of those whose files are open. */
  openNames(): string[] {
    return [...this.#open.keys()];
  }

  /** An integration, in whatever world it is; null when it is in none that can be opened. */
  findIntegration(id: string): { readonly world: string; readonly webhook_secret: string } | null {
    const foundIn = (open: OpenWorld | undefined) => {
      const credential = open?.world.stores.credentials.byIntegration(id);
      return open && credential && { world: open.world.name, webhook_secret: credential.webhook_secret };
    };
    for (const open of this.#open.values()) {
      const found = foundIn(open);
      if (found) return found;
    }
    for (const { name, closed } of this.#entries.all()) {
      if (this.#open.has(name) || (closed && !closed.installed.includes(id))) continue;
      const found = foundIn(this.#intact(name));
      if (found) return found;
    }
    return null;
  }

  /** Opens closed worlds in which a delivery is due, those that wait longest first. */
  #openDue(): void {
    const now = Date.now();
    const due: { readonly name: string; readonly at: number }[] = [];
    for (const { name, due_at } of this.#entries.all())
      if (due_at !== null && due_at <= now) due.push({ name, at: due_at });
    due.sort((one, other) => one.at - other.at);
    for (const { name } of due.slice(0, OPENED_AT_ONCE)) {
      try {
        this.#existing(name);
      } catch (error) {
        this.#change(name, { due_at: now + AGAIN_AFTER_MS });
        this.#options.listeners.troubled(error);
      }
    }
  }

  /** Ends idle worlds (D82) and writes down when each was last called. What the disk refuses is written the next time. */
  sweep(): void {
    const now = Date.now();
    const ended: string[] = [];
    for (const entry of this.list()) {
      const { name } = entry;
      if (ended.length === ENDED_AT_ONCE) break;
      try {
        if (this.#isIdle(entry, now) && (this.#open.has(name) || !this.#files.isOtherVersion(name))) ended.push(name);
      } catch (error) {
        this.#options.listeners.troubled(error);
      }
    }
    try {
      this.#end(ended, "the world was idle and has ended; the next call seeds it anew");
      this.#entries.save();
      if (ended.length === ENDED_AT_ONCE) setTimeout(() => this.sweep(), 100).unref();
    } catch (error) {
      this.#options.listeners.troubled(error);
    }
  }

  /** Writes down what can be written: a disk that accepts no writes keeps nobody from stopping. */
  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#retention.stop();
    for (const open of [...this.#open.values()]) this.#close(open);
    this.#seed?.close();
    try {
      this.#entries.save();
    } catch (error) {
      this.#options.listeners.troubled(error);
    }
  }
}
