import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { OtherVersionError } from "../storage/migrate.ts";
import { realTime } from "../storage/real-time.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import { UnavailableWorldError } from "../storage/unavailable-world.ts";
import { NOTHING_CHANGED, NotDurableError } from "../storage/writer.ts";
import type { WorldEntries } from "./world-entries.ts";
import { TooManyWorldsError } from "./world-errors.ts";
import type { WorldFiles } from "./world-files.ts";
import { newOwnKeys } from "./world-keys.ts";
import type { KeepClosedFile, OpenWorld, WorldLeases } from "./world-leases.ts";
import type { WorldsOptions } from "./worlds-options.ts";

/** Creates, resets, replaces and deletes worlds. What fails has changed nothing. */
export class WorldAdmin {
  readonly #options: WorldsOptions;
  readonly #files: WorldFiles;
  readonly #entries: WorldEntries;
  readonly #open: WorldLeases;

  constructor(options: WorldsOptions, files: WorldFiles, entries: WorldEntries, open: WorldLeases) {
    this.#options = options;
    this.#files = files;
    this.#entries = entries;
    this.#open = open;
  }

  /** Creates a world from the seed. @throws TooManyWorldsError */
  create(name: string): OpenWorld {
    this.#admit(name);
    this.#touch(name, () => this.#files.create(name, realTime()));
    return this.#open.open(name);
  }

  #admit(name: string): void {
    const { mostWorlds, sharing } = this.#options;
    const most = mostWorlds - (sharing?.others ?? 0);
    if (!this.#entries.get(name) && this.#entries.size >= most) throw new TooManyWorldsError(mostWorlds);
  }

  /** Resets a world to the seed. Its subscriptions and pending deliveries end (D82). */
  async reset(name: string, keep?: KeepClosedFile): Promise<void> {
    this.#admit(name);
    await this.#open.runAlone(name, () => this.reseed(name, keep));
  }

  /** Resets a world that nobody uses. */
  reseed(name: string, keep?: KeepClosedFile): OpenWorld {
    const fresh = this.#touch(name, () => this.#files.fresh(name, realTime(), this.#files.has(name)));
    return this.#renew(name, keep, "seed", fresh);
  }

  /** Replaces a world by a prepared file that is on disk. */
  async replace(name: string, file: string, keep?: KeepClosedFile): Promise<void> {
    this.#admit(name);
    await this.#open.runAlone(name, () => this.#renew(name, keep, "snapshot", file));
  }

  /** Creates a world from a file. Its age starts now, regardless of the file's origin. */
  async begin(name: string, file: string): Promise<void> {
    await this.replace(name, file);
    this.#entries.put(name, { created_at: realTime() });
  }

  /** Gives a world its own keys. The service's keys then no longer open it. */
  async giveOwnKeys(name: string): Promise<void> {
    const { access } = this.#options.service;
    if (access.findKeys(name)) return;
    access.setKeys(name, newOwnKeys());
    await this.#open.runAlone(name, () => {
      this.#open.closeForGood(name);
      this.#open.findIntact(name);
    });
  }

  /** Deletes a world. The next call to its name creates it again. */
  async remove(name: string, keep?: KeepClosedFile): Promise<void> {
    await this.#open.runAlone(name, () => this.end(name, "the world was deleted", keep));
    this.#files.syncNames();
  }

  /** Registers a world whose file was put in place. */
  takeOver({ name, created_at, last_active_at, pinned }: WorldEntry): void {
    this.#entries.put(name, { created_at, last_active_at, pinned });
  }

  /** Releases a world to another node. The local file is then only a stale copy. */
  async leave(name: string, why: string): Promise<void> {
    const leave = (): void => {
      this.#open.closeForGood(name);
      this.#files.discard(name);
      this.#dropEntry(name);
      this.#options.listeners.left(name, why);
    };
    await this.#open.runAlone(name, leave, false);
  }

  /**
   * Deletes every world. The default world is created again immediately.
   *
   * @returns worlds left in place because another version wrote their file
   */
  async removeAll(): Promise<string[]> {
    const left: string[] = [];
    for (const { name } of [...this.#entries.all()]) {
      await this.#open.runAlone(name, () => {
        if (this.#files.isOtherVersion(name)) left.push(name);
        else if (name !== DEFAULT_WORLD) this.end(name, "everything was erased");
      });
    }
    if (!left.includes(DEFAULT_WORLD)) await this.reset(DEFAULT_WORLD);
    this.#files.syncNames();
    this.#entries.save(true);
    return left;
  }

  /** Deletes a world that nobody uses: the file before the entry, so that the world stays if the file does. */
  end(name: string, why: string, keep?: KeepClosedFile): void {
    this.#endFile(name, keep, () => this.#files.remove(name));
    this.#dropEntry(name);
    this.#options.listeners.removed(name, why);
  }

  #dropEntry(name: string): void {
    this.#entries.delete(name);
    this.#options.service.integrations.replace(name, []);
  }

  /** @param file complete and on disk */
  #renew(name: string, keep: KeepClosedFile | undefined, to: "seed" | "snapshot", file: string): OpenWorld {
    if (this.#files.has(name) && (to === "snapshot" || this.#options.service.integrations.list(name).length > 0)) {
      // After a crash before the new file opens, the next start opens it and reads its content.
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

  /** Ends a world's file by an act that changes nothing on failure. The kept copy is then dropped. */
  #endFile(name: string, keep: KeepClosedFile | undefined, act: () => void): void {
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

  /**
   * Wraps an act on a world's file that changes nothing on failure. @throws UnavailableWorldError @throws
   * NotDurableError
   */
  #touch<T>(name: string, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof OtherVersionError) throw new UnavailableWorldError(name, error);
      throw isDiskFailure(error) ? new NotDurableError(error, NOTHING_CHANGED) : error;
    }
  }
}
