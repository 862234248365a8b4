import path from "node:path";
import type { GivenCredential, GivenCredentials } from "../config.ts";
import { nearestNames } from "../contract/nearest-names.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import type { Database, OpenOptions } from "../storage/database.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import type { FoundIntegration } from "../storage/integrations-store.ts";
import { OtherVersionError } from "../storage/migrate.ts";
import { realTime } from "../storage/real-time.ts";
import type { ServiceDatabase, WorldEntry, WorldSummary } from "../storage/service-database.ts";
import { UnavailableWorldError } from "../storage/unavailable-world.ts";
import { LostChangesError, NOTHING_CHANGED, NotDurableError } from "../storage/writer.ts";
import { Retention } from "./retention.ts";
import type { Sharing } from "./sharing.ts";
import { ensureTemplate, seededInMemory } from "./template.ts";
import { World, type WorldListeners } from "./world.ts";
import { WorldEntries } from "./world-entries.ts";
import { NoSuchWorldError, TooManyWorldsError } from "./world-errors.ts";
import { WorldFiles } from "./world-files.ts";
import { keepKeys, keysWith, newOwnKeys } from "./world-keys.ts";
import { type KeepFile, type OpenWorld, WorldLeases } from "./world-leases.ts";

export interface WorldsOptions extends OpenOptions {
  readonly folder: string;
  readonly service: ServiceDatabase;
  readonly idleResetMs: number;
  /** D85. */
  readonly mostWorlds: number;
  /** Mebibytes of records that a world keeps at most, whatever it is set to. */
  readonly mostRetention: number;
  /** The least used of more are closed, and open again when they are called. */
  readonly mostOpen: number;
  /** Null: the documented demo values. */
  readonly credentials: GivenCredentials | null;
  /** Folds the log of a file into it, on a thread. */
  readonly fold: (file: string) => Promise<void>;
  /** Whether what waits in closed worlds is sent when it is due. */
  readonly deliveries: boolean;
  /** Left out: the worlds are this machine's alone. */
  readonly sharing?: Sharing | undefined;
  readonly listeners: Pick<WorldListeners, "published" | "troubled" | "repeats"> & {
    /** A world is what the seed or a snapshot says: everything known of it is stale. */
    readonly reset: (name: string, to: "seed" | "snapshot") => void;
    /** A world is gone; `why` in words. */
    readonly removed: (name: string, why: string) => void;
    /** Another machine goes on with a world; `why` in words. */
    readonly left: (name: string, why: string) => void;
    /** A world's file was opened: deliveries may wait in it. */
    readonly opened: (world: World) => void;
  };
}

const SWEEP_EVERY_MS = 30_000;
/** As many idle worlds are ended at a time as leave time for the calls of others. */
const ENDED_AT_ONCE = 32;
/** How often closed worlds are looked through for those in which a delivery is due, and how long they are opened in one go. */
const DUE_EVERY_MS = 250;
const OPENING_MS = 5;
/** One that did not open is left alone for so long. */
const AGAIN_AFTER_MS = 30_000;
const FOLD_EVERY_MS = 1_000;
/** In so many other worlds it is looked for what a call was refused for. */
const MOST_LOOKED_AT = 32;
/** So long ago a write succeeded that the disk is asked again whether it takes one. */
const WRITTEN_LATELY_MS = 1_000;

/**
 * All worlds of a service: one file each, copied from the template when first called, the most used open.
 *
 * A world is used only inside a closure that is handed it ({@link use}, {@link read}, {@link look}, …): its file stays
 * open until what the closure returns has settled. What ends a file (a reset, a restore, a deletion) waits for the
 * closures that are at work. Whoever needs a world later names it again.
 */
export class Worlds {
  readonly #options: WorldsOptions;
  readonly #files: WorldFiles;
  readonly #entries: WorldEntries;
  readonly #retention: Retention;
  readonly #open: WorldLeases;
  /** What every world has that has no keys of its own. */
  readonly #preloaded: readonly GivenCredential[];
  #seed: World | null = null;
  #writtenAt = 0;
  readonly #timers: NodeJS.Timeout[];
  #opening: NodeJS.Timeout | undefined;

  constructor(options: WorldsOptions) {
    this.#options = options;
    const template = ensureTemplate(options.folder, options.credentials);
    this.#files = new WorldFiles(path.join(options.folder, "worlds"), template, options);
    const { names, crashed } = this.#files.look();
    this.#entries = new WorldEntries(options.service, names);
    this.#preloaded = Object.values(keysWith(options.credentials, undefined).credentials);
    const { integrations } = options.service;
    integrations.keepOnly((name) => this.#entries.get(name) !== undefined);
    // Nobody could write down what waits in them.
    for (const name of crashed) this.#entries.put(name, { due_at: 0, closed: null });
    const { listeners, fold, mostOpen: most, sharing } = options;
    const written = (taken: boolean): void => {
      this.#writtenAt = taken ? Date.now() : 0;
    };
    this.#open = new WorldLeases({
      ...{ files: this.#files, entries: this.#entries, most, fold },
      prepare: (name, db) => {
        const { access } = options.service;
        if (access.hasKeys()) keepKeys(db, keysWith(options.credentials, access.findKeys(name)));
      },
      listeners: {
        ...listeners,
        keep: (world, durable) => (sharing ? sharing.replicate(world) : durable ? this.#synced(world) : undefined),
        written,
        installed: (name, credential) => {
          integrations.add(name, credential);
          sharing?.indexed(name, integrations.list(name));
        },
        opened: (world) => {
          this.#index(world);
          listeners.opened(world);
        },
      },
    });
    this.#retention = new Retention(this, options.mostRetention, listeners.troubled);
    this.#timers = [setInterval(() => this.sweep(), SWEEP_EVERY_MS).unref()];
  }

  /** @returns settles when what was committed is on disk. Where that fails, its file is read from the disk again. */
  #synced(world: World): Promise<void> | undefined {
    return world.db.sync()?.catch((error: unknown) => {
      this.#open.abandon(world);
      throw new LostChangesError(error);
    });
  }

  /** Settles when all that a world holds by now may be shown; null: it may. Rejects where some of it may be lost. */
  confirming(name: string): Promise<void> | null {
    return this.#open.get(name)?.world.confirming ?? null;
  }

  /** Resolves when all that the open worlds hold by now may be shown, or is lost. */
  async confirmed(): Promise<void> {
    await Promise.allSettled([...this.#open.all()].map(({ world }) => world.confirming));
  }

  /** From now on worlds open by themselves for what is due in them. */
  openDue(): void {
    if (this.#options.deliveries) this.#timers.push(setInterval(() => this.#openDue(), DUE_EVERY_MS).unref());
    this.#timers.push(setInterval(() => void this.#open.foldLogs(), FOLD_EVERY_MS).unref());
    this.#retention.start();
  }

  /**
   * Works in the world of a valid name, made when there is none. Counts as a call to it.
   *
   * @param work the world's file is open until what it returns has settled
   * @throws UnavailableWorldError @throws TooManyWorldsError
   */
  use<T>(name: string, work: (world: World) => T): T {
    return this.#open.lease(this.#called(name) ?? this.#made(name), work);
  }

  /** The same where the world is there; undefined where it is not. Counts as a call to it. @throws UnavailableWorldError */
  read<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#called(name);
    return open && this.#open.lease(open, work);
  }

  /** Works in the world of a name, if it is there, without counting as a call. @throws UnavailableWorldError */
  look<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#open.find(name);
    return open && this.#open.lease(open, work);
  }

  /** The same, and undefined also when its file is damaged. */
  lookIfIntact<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#open.findIntact(name);
    return open && this.#open.lease(open, work);
  }

  /**
   * The same, whichever machine holds the world, if any: one that this one does not hold stays where it is, and `work` is
   * handed a copy of what is stored of it. Nothing may be changed in it.
   */
  async peek<T>(name: string, work: (world: World) => Promise<T>): Promise<T | undefined> {
    const { sharing } = this.#options;
    if (!sharing || sharing.holds(name))
      return this.lookIfIntact(name, async (world) => {
        const result = await work(world);
        await world.confirming;
        return result;
      });
    return this.#files.within(name, async (file) => {
      if (!(await sharing.load(name, file))) return undefined;
      const copy = this.#copyIn(name, file);
      return copy && work(copy).finally(() => copy.close());
    });
  }

  /** The same as {@link lookIfIntact}, and only where the file is open by now. */
  lookIfOpen<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#open.get(name);
    return open && this.#open.lease(open, work);
  }

  /**
   * Works in what may never be needed: the world is opened, or made, when it is first asked for.
   *
   * @param makes false: one that is not there is not made; the default always is (D85)
   * @param work its world's file is open until what it returns has settled
   * @returns that, once all the world holds by then may be shown @throws NoSuchWorldError
   */
  async lazily<T>(name: string, makes: boolean, work: (world: () => World) => T | Promise<T>): Promise<T> {
    let held: OpenWorld | undefined;
    try {
      const result = await work(() => {
        if (!held) {
          if (!makes) this.mustHave(name);
          held = this.#called(name) ?? this.#made(name);
          held.leases += 1;
        }
        return held.world;
      });
      await held?.world.confirming;
      return result;
    } finally {
      if (held) this.#open.release(held);
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
    if (open) return this.#open.lease(open, work);
    return accepts(this.seed) ? this.use(name, work) : work(this.seed);
  }

  /** What every new world is like: calls that may not make one are judged by it (D85). Nothing may be changed in it. */
  get seed(): World {
    this.#seed ??= new World("seed", seededInMemory(this.#options.credentials), this.#quiet);
    return this.#seed;
  }

  get #quiet(): WorldListeners {
    return { published: () => undefined, troubled: this.#options.listeners.troubled };
  }

  /** A copy of a world, where its file can be read. */
  #copyIn(name: string, file: string): World | undefined {
    let db: Database | undefined;
    try {
      db = this.#files.open(name, file);
      return new World(name, db, this.#quiet);
    } catch {
      db?.close();
      return undefined;
    }
  }

  isSeed(world: World): boolean {
    return world === this.#seed;
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** Whether it can be read; the default always can. */
  isThere(name: string): boolean {
    return name === DEFAULT_WORLD || this.has(name);
  }

  /** @throws NoSuchWorldError */
  mustHave(name: string): void {
    if (this.isThere(name)) return;
    const names = this.list().map((entry) => entry.name);
    throw new NoSuchWorldError(name, nearestNames(name, names));
  }

  /** When the world resets unless it is called before, or null when it never does (D80, D82). */
  resetsAt(entry: WorldEntry): number | null {
    return entry.name === DEFAULT_WORLD || entry.pinned ? null : entry.last_active_at + this.#options.idleResetMs;
  }

  #isIdle(entry: WorldEntry, now: number): boolean {
    const due = this.resetsAt(entry);
    const isDue = due !== null && (now >= due || this.#entries.isUntouchedFor(entry.name, this.#options.idleResetMs));
    return isDue && !this.#open.isInUse(entry.name);
  }

  /** The world of a name, if there is one, seeded anew where that is due. */
  #called(name: string): OpenWorld | undefined {
    const now = realTime();
    const entry = this.#entries.get(name);
    if (entry && this.#isIdle(entry, now)) return this.#reseed(name);
    const open = this.#open.find(name);
    if (!open) return undefined;
    this.#open.touch(open, now);
    return open;
  }

  #made(name: string): OpenWorld {
    this.#admit(name);
    this.#touch(name, () => this.#files.create(name, realTime()));
    return this.#open.open(name);
  }

  #admit(name: string): void {
    const { mostWorlds, sharing } = this.#options;
    const most = mostWorlds - (sharing?.others ?? 0);
    if (!this.#entries.get(name) && this.#entries.size >= most) throw new TooManyWorldsError(mostWorlds);
  }

  /** Seeds a world anew; its subscriptions and pending deliveries end with it (D82). */
  async reset(name: string, keep?: KeepFile): Promise<void> {
    this.#admit(name);
    await this.#open.alone(name, () => this.#reseed(name, keep));
  }

  #reseed(name: string, keep?: KeepFile): OpenWorld {
    const fresh = this.#touch(name, () => this.#files.fresh(name, realTime()));
    return this.#renew(name, keep, "seed", fresh);
  }

  /** Makes a world of a file that was made ready and is on disk, in place of the one there may be. */
  async replace(name: string, file: string, keep?: KeepFile): Promise<void> {
    this.#admit(name);
    await this.#open.alone(name, () => this.#renew(name, keep, "snapshot", file));
  }

  /** The same where there is none: it is as old as it is here, whatever it was before in another. */
  async begin(name: string, file: string): Promise<void> {
    await this.replace(name, file);
    this.#entries.put(name, { created_at: realTime() });
  }

  /** Has a world's integrations be found that are in its file. */
  #index({ name, stores }: World): void {
    const isPreloaded = (id: string): boolean => this.#preloaded.some(({ integration_id }) => integration_id === id);
    const own = stores.credentials.list().filter(({ integration_id }) => !isPreloaded(integration_id));
    const { service, sharing } = this.#options;
    try {
      service.integrations.replace(name, own);
      sharing?.indexed(name, own);
    } catch (error) {
      this.#options.listeners.troubled(error);
    }
  }

  /** @param file is whole and on disk */
  #renew(name: string, keep: KeepFile | undefined, to: "seed" | "snapshot", file: string): OpenWorld {
    if (this.has(name) && (to === "snapshot" || this.#options.service.integrations.list(name).length > 0)) {
      // Should the service be killed before the new file is open, the next start opens it and finds what is in it.
      this.#entries.put(name, { due_at: 0 });
      this.#entries.save(true);
    }
    this.#endFile(name, keep, () => this.#files.put(name, file));
    this.#entries.put(name, { last_active_at: realTime() });
    const open = this.#open.open(name);
    this.#options.listeners.reset(name, to);
    this.#files.syncNames();
    return open;
  }

  /** Ends a world's file by an act that leaves it as it was where it fails: then nothing is kept of it elsewhere. */
  #endFile(name: string, keep: KeepFile | undefined, act: () => void): void {
    this.#touch(name, () => {
      const drop = this.#open.closeForGood(name, keep);
      try {
        act();
      } catch (error) {
        drop?.();
        throw error;
      }
    });
  }

  /** Does something with a world's file that changes nothing where it fails. @throws UnavailableWorldError @throws NotDurableError */
  #touch<T>(name: string, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof OtherVersionError) throw new UnavailableWorldError(name, error);
      throw isDiskFailure(error) ? new NotDurableError(error, NOTHING_CHANGED) : error;
    }
  }

  /** Bytes that a world's file takes on disk. */
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

  /** Keeps a world from resetting when it is idle, or lets it again. */
  pin(name: string, pinned: boolean): void {
    this.use(name, () => undefined);
    this.#entries.put(name, { pinned });
    this.#entries.save(true);
  }

  /** Gives a world keys of its own, which open no other: those of the service no longer open it. */
  async giveOwnKeys(name: string): Promise<void> {
    const { access } = this.#options.service;
    if (access.findKeys(name)) return;
    access.setKeys(name, newOwnKeys());
    await this.#open.alone(name, () => {
      this.#open.closeForGood(name);
      this.#open.findIntact(name);
    });
  }

  /** Ends a world; the next call to its name starts it anew. */
  async remove(name: string, keep?: KeepFile): Promise<void> {
    await this.#open.alone(name, () => this.#end(name, "the world was deleted", keep));
    this.#files.syncNames();
  }

  /** Takes over a world, whose file was put in its place. */
  takeOver({ name, created_at, last_active_at, pinned }: WorldEntry): void {
    this.#entries.put(name, { created_at, last_active_at, pinned });
  }

  /** Lets go of a world that another machine goes on with. What is here of it is no more than a copy. */
  async leave(name: string, why: string): Promise<void> {
    const leave = (): void => {
      this.#open.closeForGood(name);
      this.#files.discard(name);
      this.#forget(name);
      this.#options.listeners.left(name, why);
    };
    await this.#open.alone(name, leave, false);
  }

  /**
   * Ends every world; the default begins anew at once.
   *
   * @returns those that are left as they are, because another version wrote their file
   */
  async removeAll(): Promise<string[]> {
    const left: string[] = [];
    for (const { name } of [...this.#entries.all()]) {
      await this.#open.alone(name, () => {
        if (this.#files.isOtherVersion(name)) left.push(name);
        else if (name !== DEFAULT_WORLD) this.#end(name, "everything was erased");
      });
    }
    if (!left.includes(DEFAULT_WORLD)) await this.reset(DEFAULT_WORLD);
    this.#files.syncNames();
    this.#entries.save(true);
    return left;
  }

  /** Deletes a world's file, then what is known of it: should the file stay, so does the world. */
  #end(name: string, why: string, keep?: KeepFile): void {
    this.#endFile(name, keep, () => this.#files.remove(name));
    this.#forget(name);
    this.#options.listeners.removed(name, why);
  }

  #forget(name: string): void {
    this.#entries.delete(name);
    this.#options.service.integrations.replace(name, []);
  }

  /** The stored entry of a world, open or closed. */
  entryOf(name: string): WorldEntry | undefined {
    return this.#entries.get(name);
  }

  /** What is known of every world that this machine holds. */
  list(): WorldEntry[] {
    return [...this.#entries.all()];
  }

  /** What is known of every world there is, whichever machine holds it. */
  async listAll(): Promise<WorldEntry[]> {
    const { sharing } = this.#options;
    if (!sharing) return this.list();
    const elsewhere = (await sharing.elsewhere()).filter(({ name }) => !this.#entries.get(name));
    return [...this.list().map((entry) => ({ ...entry, node: sharing.node })), ...elsewhere];
  }

  /** What is in a world: as it is, or as it was when it was closed, unless its file changed since. @throws UnavailableWorldError */
  summaryOf({ name, closed }: WorldEntry): WorldSummary | undefined {
    if (closed && closed.changed_at === this.#files.changedAt(name)) return closed.summary;
    const open = this.#open.find(name);
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
      throw new NotDurableError(error, NOTHING_CHANGED);
    }
  }

  /** How many there are. */
  get count(): number {
    return this.#entries.size;
  }

  /** The names of those whose files are open. */
  openNames(): string[] {
    return this.#open.names();
  }

  /** The name of another world of which something is so; of those whose files are open, the most used first. */
  otherWith(name: string, is: (world: World) => boolean): string | undefined {
    const open = [...this.#open.all()].toReversed().slice(0, MOST_LOOKED_AT);
    return open.find(({ world }) => world.name !== name && is(world))?.world.name;
  }

  /** An integration, in whatever world it is, `first` before others; one that every world has is the default's. */
  async findIntegration(id: string, first = DEFAULT_WORLD): Promise<FoundIntegration | null> {
    const { service, sharing } = this.#options;
    const found = service.integrations.find(id, first);
    if (!found) {
      const preloaded = this.#preloaded.find(({ integration_id }) => integration_id === id);
      if (preloaded) return { world: DEFAULT_WORLD, webhook_secret: preloaded.webhook_secret };
      return (await sharing?.find(id, first)) ?? null;
    }
    const { world } = found;
    const inFile = ({ stores }: World) => stores.credentials.findByIntegration(id)?.webhook_secret;
    const webhook_secret = found.webhook_secret ?? this.lookIfIntact(world, inFile);
    return webhook_secret === undefined ? null : { world, webhook_secret };
  }

  /** Opens closed worlds in which a delivery is due, those that wait longest first. */
  #openDue(): void {
    clearTimeout(this.#opening);
    const now = this.#entries.clock.now();
    const due = [...this.#entries.all()].filter(({ due_at }) => due_at !== null && due_at <= now);
    due.sort((one, other) => (one.due_at ?? 0) - (other.due_at ?? 0));
    const until = performance.now() + OPENING_MS;
    for (const { name } of due) {
      if (performance.now() > until) {
        this.#opening = setTimeout(() => this.#openDue(), OPENING_MS).unref();
        return;
      }
      try {
        this.#open.find(name);
      } catch (error) {
        this.#entries.put(name, { due_at: now + AGAIN_AFTER_MS });
        this.#options.listeners.troubled(error);
      }
    }
  }

  /** Ends idle worlds (D82) and writes down when each was last called. What the disk refuses is written the next time. */
  sweep(): void {
    const now = realTime();
    let ended = 0;
    for (const entry of [...this.#entries.all()]) {
      if (ended === ENDED_AT_ONCE) break;
      try {
        if (!this.#isIdle(entry, now) || this.#files.isOtherVersion(entry.name)) continue;
        this.#end(entry.name, "the world was idle and has ended; the next call creates it from the seed");
        ended += 1;
      } catch (error) {
        this.#options.listeners.troubled(error);
      }
    }
    this.#save(ended > 0);
    if (ended === ENDED_AT_ONCE) setTimeout(() => this.sweep(), 100).unref();
  }

  /** @param gone whether files were deleted since */
  #save(gone = false): void {
    try {
      if (gone) this.#files.syncNames();
      this.#entries.save();
    } catch (error) {
      this.#options.listeners.troubled(error);
    }
  }

  /** Writes down what can be written: a disk that accepts no writes keeps nobody from stopping. */
  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#opening);
    this.#retention.stop();
    this.#open.closeAll();
    this.#seed?.close();
    this.#save();
  }
}
