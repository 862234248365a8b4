import type { ActRecord } from "../storage/acts-store.ts";
import { DueClock } from "../storage/due-clock.ts";
import { realTime } from "../storage/real-time.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { World } from "../worlds/world.ts";
import { carryOut } from "./carry-out.ts";
import type { Around } from "./made-call.ts";
import { giveUp } from "./rules.ts";

/** So many acts are handed to a world's writer together: callers are answered between two. */
const TOGETHER = 64;
const LONGEST_SLEEP_MS = 60_000;
/** When a file is looked at again that could not be read or written. */
const AGAIN_AFTER_MS = 1_000;
/** So long whoever moves a clock waits for what fell due. */
const SETTLES_MS = 5_000;

export interface ActingServices {
  /** False: nothing is done by itself, as where a world's calls are repeated. */
  readonly enabled: boolean;
  /** Works in a world whose file is open while the work lasts; undefined when it is not. */
  readonly look: <T>(world: string, work: (world: World) => T) => T | undefined;
  /** Something may wait to be delivered in a world. */
  readonly wakeDeliveries: (world: World) => void;
  readonly around: () => Around;
  readonly onError: (error: unknown) => void;
}

interface ActingWorld {
  readonly name: string;
  timer: NodeJS.Timeout | undefined;
  /** What is being done in it; null: nothing. */
  working: Promise<void> | null;
  /** Whether something may have fallen due since it was last looked at. */
  again: boolean;
  /** How much the clock had been set back when it was last looked at, and the last act there was. */
  setBack: number;
  lastSeq: number;
}

/**
 * Does what the worlds' counterparts and test values ask for when it is due by the world's clock, in its order. What counts
 * is in the files. A wait is bounded by the monotonic clock, as with deliveries.
 */
export class ActingEngine {
  readonly #services: ActingServices;
  readonly #clock = new DueClock();
  readonly #worlds = new Map<string, ActingWorld>();
  /** Worlds in which nothing is to be done for now. */
  readonly #held = new Set<string>();
  #stopped = false;

  constructor(services: ActingServices) {
    this.#services = services;
  }

  /** Something may be due in a world, or at another time than before: it was opened, its clock was moved, there is more to do. */
  wake({ name }: Pick<World, "name">): void {
    void this.#work(name);
  }

  /** Resolves when what is due in a world by now is done, or after a few seconds. */
  async settle({ name }: Pick<World, "name">): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, SETTLES_MS).unref();
    await Promise.race([this.#work(name), promise]);
    clearTimeout(timer);
  }

  /** Works while nothing is done by itself in a world, whatever its clock says meanwhile. */
  async without<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#held.add(name);
    try {
      await this.#worlds.get(name)?.working;
      return await work();
    } finally {
      this.#held.delete(name);
      this.wake({ name });
    }
  }

  #work(name: string): Promise<void> {
    if (this.#stopped || this.#held.has(name) || !this.#services.enabled) return Promise.resolve();
    const known = this.#worlds.get(name) ?? this.#begun(name);
    this.#worlds.set(name, known);
    known.again = true;
    known.working ??= this.#workOff(known).finally(() => {
      known.working = null;
    });
    return known.working;
  }

  #begun(name: string): ActingWorld {
    const { setBack } = this.#clock;
    return { name, timer: undefined, working: null, again: false, setBack, lastSeq: Number.MAX_SAFE_INTEGER };
  }

  async #workOff(known: ActingWorld): Promise<void> {
    while (known.again && !this.#stopped && !this.#held.has(known.name)) {
      known.again = false;
      clearTimeout(known.timer);
      // After the answers of the call that woke us have left.
      await new Promise((resolve) => setImmediate(resolve));
      const next = await this.#workOnce(known);
      if (known.again) continue;
      if (next === null) this.#worlds.delete(known.name);
      else this.#sleep(known, next);
    }
  }

  #sleep(known: ActingWorld, until: number): void {
    const ms = Math.min(Math.max(until - realTime(), 1), LONGEST_SLEEP_MS);
    known.timer = setTimeout(() => this.wake(known), ms).unref();
  }

  /** Does what is due. @returns when it is to be looked again, by real time; null: nothing is to be done */
  async #workOnce(known: ActingWorld): Promise<number | null> {
    try {
      const next = this.#services.look(known.name, async (world) => {
        await this.#followClock(known, world);
        const due = world.stores.acts.due(world.now(), TOGETHER);
        if (due.length === 0) return world.nextActAt();
        // Handed over in their order, which the writer keeps.
        const queued = await Promise.all(due.map((act) => this.#carryOut(world, act)));
        if (queued.includes(true)) this.#services.wakeDeliveries(world);
        known.again = true;
        return null;
      });
      return (await next) ?? null;
    } catch (error) {
      this.#services.onError(error);
      return realTime() + AGAIN_AFTER_MS;
    }
  }

  /** What was to be done before the machine's clock was set back waits no longer for it than it would have. */
  async #followClock(known: ActingWorld, world: World): Promise<void> {
    const { acts } = world.stores;
    const lost = this.#clock.setBack - known.setBack;
    const { lastSeq } = known;
    if (lost > 0) await world.write(() => acts.bringForward(lost, lastSeq));
    Object.assign(known, { setBack: known.setBack + lost, lastSeq: acts.lastSeq() });
  }

  /** Does one thing now, whenever it is due. */
  async now(world: World, act: ActRecord): Promise<void> {
    if (await this.#carryOut(world, act)) this.#services.wakeDeliveries(world);
  }

  /** Does one thing. What cannot be done, whatever the disk says, is over: it must not keep the others from being done. */
  async #carryOut(world: World, act: ActRecord): Promise<boolean> {
    try {
      return await carryOut(world, act, this.#services.around());
    } catch (error) {
      if (error instanceof NotDurableError) throw error;
      this.#services.onError(error);
      await world.write(() => giveUp(world.stores, act, "An unexpected error; the service’s log has it."));
      return false;
    }
  }

  /** Begins nothing more. Resolves when what was begun has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const worlds = [...this.#worlds.values()];
    for (const { timer } of worlds) clearTimeout(timer);
    await Promise.allSettled(worlds.map(({ working }) => working));
  }
}
