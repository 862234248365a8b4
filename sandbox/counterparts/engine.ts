import type { ActRecord } from "../storage/acts-store.ts";
import { DueClock } from "../storage/due-clock.ts";
import { realTime } from "../storage/real-time.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { World } from "../worlds/world.ts";
import { carryOut } from "./carry-out.ts";
import type { CallServices } from "./made-call.ts";
import { endFailed } from "./set-rules.ts";

/** Acts passed to a world's writer at once, so that callers are served between. */
const BATCH_ACTS = 64;
const MAX_SLEEP_MS = 60_000;
/** Wait before an unreadable or unwritable file is tried again. */
const RETRY_AFTER_MS = 1_000;
/** Longest wait for due acts after a change of the clock. */
const MAX_SETTLE_MS = 5_000;

export interface ActingServices {
  /** False disables automatic acts, for example while calls are repeated. */
  readonly enabled: boolean;
  /** Runs work in a world if it is open; undefined otherwise. */
  readonly withWorld: <T>(world: string, work: (world: World) => T) => T | undefined;
  /** Starts deliveries of a world. */
  readonly wakeDeliveries: (world: World) => void;
  readonly around: () => CallServices;
  readonly onError: (error: unknown) => void;
}

/** Acts that may be passed on together: a buyer's next order can be due before the ones that follow its last. */
const upToFirstOrder = (due: readonly ActRecord[]): readonly ActRecord[] => {
  const first = due.findIndex(({ kind }) => kind === "order");
  return first === -1 ? due : due.slice(0, first + 1);
};

interface ActingWorld {
  readonly name: string;
  timer: NodeJS.Timeout | undefined;
  /** Running work; null if idle. */
  working: Promise<void> | null;
  /** True if acts may have become due since the last check. */
  again: boolean;
  /** Backward steps of the clock at the last check, and the last act's `seq` then. */
  setBack: number;
  lastSeq: number;
}

/**
 * Runs due acts of counterparts and test values, in order, by the world's clock. State lives in the files. Waits use
 * the monotonic clock, as for deliveries.
 */
export class ActingEngine {
  readonly #services: ActingServices;
  readonly #clock = new DueClock();
  readonly #worlds = new Map<string, ActingWorld>();
  /** Worlds with paused acts. */
  readonly #held = new Set<string>();
  #stopped = false;

  constructor(services: ActingServices) {
    this.#services = services;
  }

  /** Checks a world for due acts. Call when it opens, its clock changes or acts were added. */
  wake({ name }: Pick<World, "name">): void {
    void this.#work(name);
  }

  /** Resolves when due acts of a world are done, or after a few seconds. */
  async settle({ name }: Pick<World, "name">): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MAX_SETTLE_MS).unref();
    await Promise.race([this.#work(name), promise]);
    clearTimeout(timer);
  }

  async withPaused<T>(name: string, work: () => Promise<T>): Promise<T> {
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
      // Runs after the waking call's response was sent.
      await new Promise((resolve) => setImmediate(resolve));
      const next = await this.#workOnce(known);
      if (known.again) continue;
      if (next === null) this.#worlds.delete(known.name);
      else this.#sleep(known, next);
    }
  }

  #sleep(known: ActingWorld, until: number): void {
    const ms = Math.min(Math.max(until - realTime(), 1), MAX_SLEEP_MS);
    known.timer = setTimeout(() => this.wake(known), ms).unref();
  }

  /** Runs due acts. @returns real time of the next check; null if no act is pending */
  async #workOnce(known: ActingWorld): Promise<number | null> {
    try {
      const next = this.#services.withWorld(known.name, async (world) => {
        await this.#followClock(known, world);
        const due = upToFirstOrder(world.stores.acts.due(world.now(), BATCH_ACTS));
        if (due.length === 0) return world.nextActAt();
        // The writer keeps the order.
        const queued = await Promise.all(due.map((act) => this.#carryOut(world, act)));
        if (queued.includes(true)) this.#services.wakeDeliveries(world);
        known.again = true;
        return null;
      });
      return (await next) ?? null;
    } catch (error) {
      this.#services.onError(error);
      return realTime() + RETRY_AFTER_MS;
    }
  }

  /** Compensates for a backward step of the machine's clock, so earlier acts don't wait longer. */
  async #followClock(known: ActingWorld, world: World): Promise<void> {
    const { acts } = world.stores;
    const lost = this.#clock.setBack - known.setBack;
    const { lastSeq } = known;
    if (lost > 0) await world.write(() => acts.bringForward(lost, lastSeq));
    Object.assign(known, { setBack: known.setBack + lost, lastSeq: acts.lastSeq() });
  }

  async runNow(world: World, act: ActRecord): Promise<void> {
    if (await this.#carryOut(world, act)) this.#services.wakeDeliveries(world);
  }

  /** Runs an act. One that fails, except for the disk, ends so that it can't block others. */
  async #carryOut(world: World, act: ActRecord): Promise<boolean> {
    try {
      return await carryOut(world, act, this.#services.around());
    } catch (error) {
      if (error instanceof NotDurableError) throw error;
      this.#services.onError(error);
      await world.write(() => endFailed(world.stores, act, "An unexpected error; the service’s log has it."));
      return false;
    }
  }

  /** Starts no further acts. Resolves when running ones have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const worlds = [...this.#worlds.values()];
    for (const { timer } of worlds) clearTimeout(timer);
    await Promise.allSettled(worlds.map(({ working }) => working));
  }
}
