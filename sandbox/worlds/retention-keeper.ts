import { performance } from "node:perf_hooks";
import { behind } from "../storage/behind.ts";
import { Retention } from "./retention.ts";
import type { World } from "./world.ts";

/** How often the worlds that are open are looked at. */
const LOOK_EVERY_MS = 5_000;
/** So long it works in one go: whoever calls meanwhile waits no longer. */
const STRETCH_MS = 3;
const LEAST_PAUSE_MS = 10;
/** The part of all time that it takes while there is something to forget, and while there is far too much. */
const SHARE = { usual: 0.1, hurried: 0.3 };
/** When a world is looked at again in which something went wrong, as it does on a full disk. */
const AGAIN_AFTER_MS = 60_000;
/** The log of changes of a world that is quiet is folded into its file when it is longer. */
const LONG_LOG_BYTES = 4 * 1024 * 1024;
/** Nothing waits for the disk that can wait while the service is busier than this. */
const BUSY = 0.25;
/** Closed worlds of which nothing is known are left alone for so long after a start. */
const FIRST_LOOK_MS = 600_000;
/** A world that is to be closed again is left open when something is delivered in it within this time. */
const ABOUT_TO_MS = 5_000;

interface Kept {
  readonly retention: Retention;
  /** How often it had been written to when it was looked at last; -1 before. */
  writes: number;
  /** When it is to be looked at although nothing was written. */
  nextAt: number;
  /** Until when it is left alone whatever was written. */
  restsUntil: number;
  /** Its log of changes may be long. */
  unfolded: boolean;
}

/** The worlds of a service, as far as the keeper needs them. */
export interface WorldsToKeep {
  openWorlds(): readonly World[];
  /** Opens a closed world to look into it; that is no call to it. Undefined when it is gone. */
  existing(name: string): World | undefined;
  /** Closes a world again, unless it was called since it was looked into. */
  closeAgain(world: World, lookedAt: number): void;
}

/**
 * Keeps what is kept of every world within its limits, behind everything else: a few milliseconds at a time, in
 * transactions of its own that wait for no disk. Closed worlds are opened for it when they are due, one at a time.
 */
export class RetentionKeeper {
  readonly #worlds: WorldsToKeep;
  readonly #troubled: (error: unknown) => void;
  readonly #known = new WeakMap<World, Kept>();
  /** When each closed world is due: something in it will be too old, or is too much. */
  readonly #closed = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #load = performance.eventLoopUtilization();

  /** @param troubled told when the disk takes nothing or a world does not open: it is tried again later */
  constructor(worlds: WorldsToKeep, troubled: (error: unknown) => void) {
    this.#worlds = worlds;
    this.#troubled = troubled;
  }

  /** @param closed worlds of which nobody knows how old their records are */
  start(closed: Iterable<string>): void {
    for (const name of closed) this.#closed.set(name, Date.now() + FIRST_LOOK_MS);
    this.#later();
  }

  #later(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#round()
        .catch(this.#troubled)
        .finally(() => this.#later());
    }, LOOK_EVERY_MS).unref();
  }

  #of(world: World): Kept {
    const known = this.#known.get(world);
    if (known) return known;
    const kept: Kept = {
      retention: new Retention(world.stores, () => world.db.writes),
      writes: -1,
      nextAt: 0,
      restsUntil: 0,
      unfolded: true,
    };
    this.#known.set(world, kept);
    return kept;
  }

  /** The world of a name is open, or gone. */
  opened(name: string): void {
    this.#closed.delete(name);
  }

  /** A world is about to be closed: everything is written, and can still be read. */
  closing(world: World): void {
    if (isUntouched(world)) return;
    const { retention, writes, restsUntil } = this.#of(world);
    const unseen = world.db.writes !== writes && retention.exceeded;
    const nextAt = unseen ? Date.now() : retention.nextAt();
    if (nextAt !== null) this.#closed.set(world.name, Math.max(nextAt, restsUntil));
  }

  async #round(): Promise<void> {
    const { utilization } = performance.eventLoopUtilization(this.#load);
    this.#load = performance.eventLoopUtilization();
    const now = Date.now();
    for (const world of this.#worlds.openWorlds()) {
      if (world.closed || isUntouched(world)) continue;
      const kept = this.#of(world);
      if (now < kept.restsUntil) continue;
      if (world.db.writes !== kept.writes || now >= kept.nextAt) await this.#keep(world, kept);
      else if (kept.unfolded && utilization < BUSY) this.#fold(world, kept);
    }
    const due = [...this.#closed].filter(([, at]) => at <= now).sort((one, other) => one[1] - other[1]);
    if (due[0] !== undefined) await this.#keepClosed(due[0][0]);
  }

  /** Brings a world within its limits. Resolves also when that went wrong: it is tried again later. */
  async #keep(world: World, kept: Kept): Promise<void> {
    const work = kept.retention.work(Date.now());
    try {
      for (let more = true; more; ) {
        if (this.#stopped || world.closed) return;
        const before = world.db.writes;
        const began = performance.now();
        behind(world.db, () => {
          do more = work.next().done !== true;
          while (more && performance.now() - began < STRETCH_MS);
        });
        const took = performance.now() - began;
        kept.unfolded ||= world.db.writes !== before;
        const share = kept.retention.hurries ? SHARE.hurried : SHARE.usual;
        if (more) await pause(Math.max(LEAST_PAUSE_MS, took / share));
      }
      kept.unfolded ||= world.db.writes !== kept.writes;
      kept.writes = world.db.writes;
      kept.nextAt = kept.retention.nextAt() ?? Number.POSITIVE_INFINITY;
    } catch (error) {
      kept.retention.beginAgain();
      kept.restsUntil = Date.now() + AGAIN_AFTER_MS;
      this.#troubled(error);
    }
  }

  #fold(world: World, kept: Kept): void {
    kept.unfolded = false;
    try {
      world.stores.retention.foldChanges(LONG_LOG_BYTES);
    } catch (error) {
      this.#troubled(error);
    }
  }

  async #keepClosed(name: string): Promise<void> {
    // Closing it says when it is due next; should it not open, that is long enough from now.
    const lookedAt = Date.now();
    this.#closed.set(name, lookedAt + AGAIN_AFTER_MS);
    const world = this.#worlds.existing(name);
    if (!world) {
      this.#closed.delete(name);
      return;
    }
    await this.#keep(world, this.#of(world));
    const dueAt = world.closed ? null : world.nextDueAt();
    if (world.closed || this.#stopped) return;
    if (dueAt === null || dueAt > Date.now() + ABOUT_TO_MS) this.#worlds.closeAgain(world, lookedAt);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }
}

/** As it was seeded: nothing was written, so nothing can be forgotten. */
const isUntouched = ({ db }: World): boolean => !db.settled && db.writes === 0;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());
