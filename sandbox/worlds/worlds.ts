import path from "node:path";
import type { GivenCredential } from "../config.ts";
import { nearestNames } from "../contract/nearest-names.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import type { WorldKeys } from "../storage/access-store.ts";
import type { Database } from "../storage/database.ts";
import type { FoundIntegration } from "../storage/integrations-store.ts";
import { realTime } from "../storage/real-time.ts";
import type { WorldEntry, WorldSummary } from "../storage/service-database.ts";
import { UnavailableWorldError } from "../storage/unavailable-world.ts";
import { LostChangesError, NOTHING_CHANGED, NotDurableError } from "../storage/writer.ts";
import { Retention } from "./retention.ts";
import { createSeededDatabase, ensureTemplate } from "./template.ts";
import { World, type WorldListeners } from "./world.ts";
import { WorldAdmin } from "./world-admin.ts";
import { WorldEntries } from "./world-entries.ts";
import { NoSuchWorldError } from "./world-errors.ts";
import { WorldFiles } from "./world-files.ts";
import { ensureKeys, resolveKeys } from "./world-keys.ts";
import { type OpenWorld, WorldLeases } from "./world-leases.ts";
import type { WorldsOptions } from "./worlds-options.ts";

const SWEEP_EVERY_MS = 30_000;
/** Idle worlds deleted per sweep, which leaves time for calls. */
const MAX_ENDED_PER_SWEEP = 32;
/** Interval for opening closed worlds with due deliveries, and the time spent on it in one go. */
const DUE_EVERY_MS = 250;
const OPENING_MS = 5;
/** Wait before another attempt to open a world that failed to open. */
const RETRY_OPEN_AFTER_MS = 30_000;
const FOLD_EVERY_MS = 1_000;
/** Open worlds searched for the key or ID of a refused call. */
export const MAX_WORLDS_SEARCHED = 32;
/** Age of a successful write after which writability is checked again. */
const WRITABLE_FOR_MS = 1_000;

/**
 * All worlds of a service: one file each, copied from the template on the first call. The most recently used ones are
 * open.
 *
 * Work on a world runs only inside a closure ({@link use}, {@link read}, {@link withWorld}, …). Its file stays open
 * until the closure's result settles. A reset, restore or deletion waits for running closures. Don't keep a world beyond its
 * closure; name it again.
 */
export class Worlds {
  readonly #options: WorldsOptions;
  readonly #files: WorldFiles;
  readonly #entries: WorldEntries;
  readonly #retention: Retention;
  readonly #open: WorldLeases;
  readonly admin: WorldAdmin;
  /** Credentials of every world without its own keys. */
  readonly #preloaded: readonly GivenCredential[];
  /** Worlds made by a control operation in progress that nobody else has called. */
  readonly #unclaimed = new Map<string, OpenWorld>();
  #seed: World | null = null;
  #writtenAt = 0;
  readonly #timers: NodeJS.Timeout[];
  #opening: NodeJS.Timeout | undefined;

  constructor(options: WorldsOptions) {
    this.#options = options;
    const template = ensureTemplate(options.folder, options.credentials);
    this.#files = new WorldFiles(path.join(options.folder, "worlds"), template, options);
    const { names, crashed } = this.#files.scan();
    this.#entries = new WorldEntries(options.service, names);
    this.#preloaded = Object.values(resolveKeys(options.credentials, undefined).credentials);
    const { integrations } = options.service;
    integrations.keepOnly((name) => this.#entries.get(name) !== undefined);
    // The summary may be outdated and deliveries may wait, so crashed worlds are opened.
    for (const name of crashed) this.#entries.put(name, { due_at: 0, closed: null });
    const { listeners, fold, mostOpen: most, sharing } = options;
    const written = (taken: boolean): void => {
      this.#writtenAt = taken ? Date.now() : 0;
    };
    this.#open = new WorldLeases({
      ...{ files: this.#files, entries: this.#entries, most, fold },
      prepare: (name, db) => {
        const { access } = options.service;
        if (access.hasKeys()) ensureKeys(db, resolveKeys(options.credentials, access.findKeys(name)));
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
    this.admin = new WorldAdmin(options, this.#files, this.#entries, this.#open);
    this.#retention = new Retention(this, options.mostRetention, listeners.onError);
    this.#timers = [setInterval(() => this.sweep(), SWEEP_EVERY_MS).unref()];
  }

  /** @returns a promise for the commit on disk. On failure the file is read from disk again. */
  #synced(world: World): Promise<void> | undefined {
    return world.db.sync()?.catch((error: unknown) => {
      this.#open.abandon(world);
      throw new LostChangesError(error);
    });
  }

  /** Settles when the world's current content may be shown; null if it may be shown now. Rejects if it may be lost. */
  confirming(name: string): Promise<void> | null {
    return this.#open.get(name)?.world.confirming ?? null;
  }

  /** Resolves when the current content of all open worlds is durable or lost. */
  async confirmed(): Promise<void> {
    await Promise.allSettled([...this.#open.all()].map(({ world }) => world.confirming));
  }

  /** Starts opening closed worlds for due deliveries. */
  openDue(): void {
    if (this.#options.deliveries) this.#timers.push(setInterval(() => this.#openDue(), DUE_EVERY_MS).unref());
    this.#timers.push(setInterval(() => void this.#open.foldLogs(), FOLD_EVERY_MS).unref());
    this.#retention.start();
  }

  /**
   * Runs work in a world, created if missing. Counts as a call. Needs a valid name.
   *
   * @param work the world's file stays open until its result settles
   * @throws UnavailableWorldError @throws TooManyWorldsError
   */
  use<T>(name: string, work: (world: World) => T): T {
    return this.#open.lease(this.#called(name) ?? this.admin.create(name), work);
  }

  /** Runs work in an existing world; undefined if it's missing. Counts as a call. @throws UnavailableWorldError */
  read<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#called(name);
    return open && this.#open.lease(open, work);
  }

  /** Runs work in an existing world without counting as a call. @throws UnavailableWorldError */
  withWorld<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#open.find(name);
    return open && this.#open.lease(open, work);
  }

  /** Like {@link withWorld}; undefined for a damaged file too. */
  withIntactWorld<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#open.findIntact(name);
    return open && this.#open.lease(open, work);
  }

  /**
   * Like {@link withIntactWorld}, for a world on any node. A world of another node stays there, and `work` receives a
   * copy of its stored version. Read-only.
   */
  async peek<T>(name: string, work: (world: World) => Promise<T>): Promise<T | undefined> {
    const { sharing } = this.#options;
    if (!sharing || sharing.owns(name))
      return this.withIntactWorld(name, async (world) => {
        const result = await work(world);
        await world.confirming;
        return result;
      });
    return this.#files.withTemporaryFile(name, async (file) => {
      if (!(await sharing.load(name, file))) return undefined;
      const copy = this.#copyIn(name, file);
      return copy && work(copy).finally(() => copy.close());
    });
  }

  /** Like {@link withIntactWorld}, only if the file is already open. */
  withOpenWorld<T>(name: string, work: (world: World) => T): T | undefined {
    const open = this.#open.get(name);
    return open && this.#open.lease(open, work);
  }

  /**
   * Runs work that may not need its world: the world is opened or created on first use.
   *
   * @param makes false if a missing world must not be created; the default world always is (D85)
   * @param work the world's file stays open until its result settles
   * @param isRefusal checks the result; a refusal leaves no new world behind, unless others have called it meanwhile
   * @returns the result, once the world's content at that time may be shown @throws NoSuchWorldError
   */
  async lazily<T>(
    name: string,
    makes: boolean,
    work: (world: () => World) => T | Promise<T>,
    isRefusal: (result: T) => boolean = () => false,
  ): Promise<T> {
    let held: OpenWorld | undefined;
    let isRefused = false;
    try {
      const result = await work(() => {
        if (!held) {
          if (!makes) this.mustHave(name);
          held = this.#called(name) ?? this.#createUnclaimed(name);
          held.leases += 1;
        }
        return held.world;
      });
      await held?.world.confirming;
      isRefused = isRefusal(result);
      return result;
    } finally {
      if (held) this.#releaseMade(held, isRefused);
    }
  }

  #createUnclaimed(name: string): OpenWorld {
    const open = this.admin.create(name);
    if (name !== DEFAULT_WORLD) this.#unclaimed.set(name, open);
    return open;
  }

  /** Ends the lease of {@link lazily}. @param isRefused deletes the world if this lease made it */
  #releaseMade(held: OpenWorld, isRefused: boolean): void {
    const { name } = held.world;
    this.#open.release(held);
    if (this.#unclaimed.get(name) !== held) return;
    this.#unclaimed.delete(name);
    if (!isRefused || held.leases > 0 || this.#open.get(name) !== held) return;
    this.admin.end(name, "the call that created the world was refused");
    this.#files.syncNames();
  }

  /**
   * Runs a partner's call in its world (D85).
   *
   * @param accepts whether the call may create a missing world, checked against the seed
   * @param work receives the seed if the call may not, so that it refuses as a new world would
   */
  forCall<T>(name: string, accepts: (seed: World) => boolean, work: (world: World) => T): T {
    const open = this.#called(name);
    if (open) return this.#open.lease(open, work);
    return accepts(this.seed) ? this.use(name, work) : work(this.seed);
  }

  /** Model of every new world, to check calls before they create one (D85). Read-only. */
  get seed(): World {
    this.#seed ??= new World("seed", createSeededDatabase(this.#options.credentials), this.#quiet);
    return this.#seed;
  }

  get #quiet(): WorldListeners {
    return { onPublish: () => undefined, onError: this.#options.listeners.onError };
  }

  /** A copy of a world, if its file is readable. */
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

  /** Checks whether a world can be read. The default world always can. */
  isThere(name: string): boolean {
    return name === DEFAULT_WORLD || this.has(name);
  }

  /** @throws NoSuchWorldError */
  mustHave(name: string): void {
    if (this.isThere(name)) return;
    const names = this.list().map((entry) => entry.name);
    throw new NoSuchWorldError(name, nearestNames(name, names));
  }

  /** Time of the idle reset without further calls; null for worlds that never reset (D80, D82). */
  resetsAt(entry: WorldEntry): number | null {
    return entry.name === DEFAULT_WORLD || entry.pinned ? null : entry.last_active_at + this.#options.idleResetMs;
  }

  /** True if a world began by its reset: not by its creation, a restore, or a copy of another world's file. */
  wasReset({ name, db, stores: { settings } }: World): boolean {
    const isOwn = this.#entries.get(name)?.created_at === db.epoch;
    return isOwn && settings.get("was_reset") && settings.get("log_restored") === 0;
  }

  #isIdle(entry: WorldEntry, now: number): boolean {
    const due = this.resetsAt(entry);
    const isDue = due !== null && (now >= due || this.#entries.isUntouchedFor(entry.name, this.#options.idleResetMs));
    return isDue && !this.#open.isInUse(entry.name);
  }

  /** The world if it exists, reset first if that is due. */
  #called(name: string): OpenWorld | undefined {
    this.#unclaimed.delete(name);
    const now = realTime();
    const entry = this.#entries.get(name);
    if (entry && this.#isIdle(entry, now)) return this.admin.reseed(name);
    const open = this.#open.find(name);
    if (!open) return undefined;
    this.#open.touch(open, now);
    return open;
  }

  /** Registers the integrations of a world's file. */
  #index({ name, stores }: World): void {
    const isPreloaded = (id: string): boolean => this.#preloaded.some(({ integration_id }) => integration_id === id);
    const own = stores.credentials.list().filter(({ integration_id }) => !isPreloaded(integration_id));
    const { service, sharing } = this.#options;
    try {
      service.integrations.replace(name, own);
      sharing?.indexed(name, own);
    } catch (error) {
      this.#options.listeners.onError(error);
    }
  }

  getBytes(name: string): number {
    return this.#files.getBytes(name);
  }

  /** Path of a world's file. Readers outside a lease may lose the file at any time. */
  getFilePath(name: string): string {
    return this.#files.getPath(name);
  }

  /** Writes a world's initial file, as after its creation or last reset, to an unused path. */
  seedFile({ db }: World, file: string): void {
    this.#files.seed(file, db.epoch);
  }

  /** Exempts a world from idle resets, or ends the exemption. */
  pin(name: string, pinned: boolean): void {
    this.use(name, () => undefined);
    this.#entries.put(name, { pinned });
    this.#entries.save(true);
  }

  getEntry(name: string): WorldEntry | undefined {
    return this.#entries.get(name);
  }

  /** Entries of all worlds on this node. */
  list(): WorldEntry[] {
    return [...this.#entries.all()];
  }

  /** Entries of all worlds in the cluster. */
  async listAll(): Promise<WorldEntry[]> {
    const { sharing } = this.#options;
    if (!sharing) return this.list();
    const onOtherNodes = (await sharing.elsewhere()).filter(({ name }) => !this.#entries.get(name));
    return [...this.list().map((entry) => ({ ...entry, node: sharing.node })), ...onOtherNodes];
  }

  /** Summary of a world: current, or from its close if the file is unchanged since. @throws UnavailableWorldError */
  getSummary({ name, closed }: WorldEntry): WorldSummary | undefined {
    if (closed && closed.changed_at === this.#files.changedAt(name)) return closed.summary;
    const open = this.#open.find(name);
    try {
      return open?.world.summary();
    } catch (error) {
      throw new UnavailableWorldError(name, error);
    }
  }

  /** Returns once the disk accepted a write, unless one succeeded recently. @throws NotDurableError */
  checkWritable(): void {
    if (Date.now() - this.#writtenAt < WRITABLE_FOR_MS) return;
    try {
      this.#options.service.checkWritable();
      this.#writtenAt = Date.now();
    } catch (error) {
      throw new NotDurableError(error, NOTHING_CHANGED);
    }
  }

  get count(): number {
    return this.#entries.size;
  }

  openNames(): string[] {
    return this.#open.names();
  }

  /** Name of another open world that satisfies a condition; the most recently used first. */
  findOtherWorld(name: string, is: (world: World) => boolean): string | undefined {
    const open = [...this.#open.all()].toReversed().slice(0, MAX_WORLDS_SEARCHED);
    return open.find(({ world }) => world.name !== name && is(world))?.world.name;
  }

  /** The service's keys if a world has its own in their place. */
  findServiceKeys(name: string): WorldKeys | undefined {
    const { service, credentials } = this.#options;
    return service.access.findKeys(name) === undefined ? undefined : resolveKeys(credentials, undefined);
  }

  /** True if any world, open or not, may have an integration. With several nodes only the database knows. */
  mayHaveIntegration(id: string): boolean {
    const { service, sharing } = this.#options;
    return Boolean(sharing) || service.integrations.find(id, DEFAULT_WORLD) !== undefined;
  }

  /** Finds an integration in any world, `first` preferred. A pre-loaded one belongs to the default world. */
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
    const webhook_secret = found.webhook_secret ?? this.withIntactWorld(world, inFile);
    return webhook_secret === undefined ? null : { world, webhook_secret };
  }

  /** Opens closed worlds with due deliveries, the longest overdue first. */
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
        this.#entries.put(name, { due_at: now + RETRY_OPEN_AFTER_MS });
        this.#options.listeners.onError(error);
      }
    }
  }

  /** Deletes idle worlds (D82) and writes the times of last calls. Failed writes are retried next time. */
  sweep(): void {
    const now = realTime();
    let ended = 0;
    for (const entry of [...this.#entries.all()]) {
      if (ended === MAX_ENDED_PER_SWEEP) break;
      try {
        if (!this.#isIdle(entry, now) || this.#files.isOtherVersion(entry.name)) continue;
        this.admin.end(entry.name, "the world was idle and has ended; the next call creates it from the seed");
        ended += 1;
      } catch (error) {
        this.#options.listeners.onError(error);
      }
    }
    this.#save(ended > 0);
    if (ended === MAX_ENDED_PER_SWEEP) setTimeout(() => this.sweep(), 100).unref();
  }

  /** @param hasDeletedFiles true if files were deleted since the last save */
  #save(hasDeletedFiles = false): void {
    try {
      if (hasDeletedFiles) this.#files.syncNames();
      this.#entries.save();
    } catch (error) {
      this.#options.listeners.onError(error);
    }
  }

  /** Writes as much as possible. A disk that refuses writes must not prevent a stop. */
  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#opening);
    this.#retention.stop();
    this.#open.closeAll();
    this.#seed?.close();
    this.#save();
    this.#entries.close();
  }
}
