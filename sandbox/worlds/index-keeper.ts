import { performance } from "node:perf_hooks";
import type { SearchIndex } from "../storage/search-index.ts";
import type { World } from "./world.ts";

/** Fewer rows than this are looked at themselves by whoever searches. */
const WORTH_IT = 500;
/** Rows taken in at a time: a few milliseconds of work. */
const STEP = 24;
/** When this part of all rows was new, the whole index is put in order. */
const WORTH_WHOLE = 10;
const LOOK_AFTER_MS = 250;
/** How long a world is left alone after a call, and after how long its turn comes however often it is called. */
const PATIENCE = { quietMs: 5_000, longestMs: 60_000 };
/** So long it works before it looks again how busy the service is otherwise. */
const STRETCH_MS = 100;
/** The share of time that others may use while it waits, and while it works, before it waits again. */
const BUSY = { waiting: 0.5, working: 0.25 };

/**
 * Brings the search of worlds up to date behind everything else: a few rows at a time, in commits that wait for no disk,
 * and only while the service has little to do. A world in the middle of something is left alone until it is quiet:
 * taking a job in costs more than inserting it.
 */
export class IndexKeeper {
  readonly #troubled: (error: unknown) => void;
  readonly #called = new Map<World, { readonly first: number; last: number }>();
  readonly #patience: typeof PATIENCE;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  /** @param troubled told when the work went wrong; it is tried again after the next call to the world */
  constructor(troubled: (error: unknown) => void, patience = PATIENCE) {
    this.#troubled = troubled;
    this.#patience = patience;
  }

  /** A world was called: it may have changed. */
  called(world: World): void {
    const now = performance.now();
    const known = this.#called.get(world);
    if (known) known.last = now;
    else this.#called.set(world, { first: now, last: now });
    this.#timer ??= this.#later();
  }

  /** A world is closed. */
  forget(world: World): void {
    this.#called.delete(world);
  }

  #later(): NodeJS.Timeout | null {
    if (this.#stopped) return null;
    const timer = setTimeout(() => {
      const now = performance.now();
      const { quietMs, longestMs } = this.#patience;
      const due = [...this.#called].filter(([, { first, last }]) => now - last >= quietMs || now - first >= longestMs);
      for (const [world] of due) this.#called.delete(world);
      this.#all(due.map(([world]) => world))
        .catch(this.#troubled)
        .finally(() => {
          this.#timer = this.#called.size > 0 ? this.#later() : null;
        });
    }, LOOK_AFTER_MS);
    timer.unref();
    return timer;
  }

  async #all(worlds: readonly World[]): Promise<void> {
    for (const world of worlds) {
      for (const { searched } of [world.stores.jobs, world.stores.procurements])
        if (!world.closed && searched.behind() >= WORTH_IT) await this.#bring(world, searched);
    }
  }

  async #bring(world: World, index: SearchIndex): Promise<void> {
    const missing = index.behind();
    const taken = await this.#work(world, [() => index.advance(STEP), () => index.tidy()]);
    if (!taken || missing * WORTH_WHOLE < index.total()) return;
    let begun = false;
    await this.#work(world, [
      () => {
        const wholly = !begun;
        begun = true;
        return index.tidy(wholly);
      },
    ]);
  }

  /** Takes steps while one of them says there is more to do. @returns whether they were done to the end */
  async #work(world: World, steps: readonly (() => boolean)[]): Promise<boolean> {
    for (let more = true; more; ) {
      while (await this.#othersAreBusy()) if (this.#stopped || world.closed) return false;
      for (let busy = false; more && !busy; ) {
        const before = performance.eventLoopUtilization();
        const end = performance.now() + STRETCH_MS;
        let own = 0;
        while (more && performance.now() < end) {
          more = false;
          for (const step of steps) {
            if (this.#stopped || world.closed) return false;
            const [said, took] = await this.#step(world, step);
            more ||= said;
            own += took;
          }
        }
        const { active, idle } = performance.eventLoopUtilization(before);
        busy = active - own > BUSY.working * (active + idle);
      }
    }
    return !world.closed;
  }

  /** @returns what the step said, and how long it and its commit took, in milliseconds */
  async #step(world: World, step: () => boolean): Promise<[boolean, number]> {
    let said = false;
    let began = 0;
    await world.writeBehind(() => {
      began = performance.now();
      said = step();
    });
    return [said, performance.now() - began];
  }

  async #othersAreBusy(): Promise<boolean> {
    const before = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, LOOK_AFTER_MS).unref());
    return performance.eventLoopUtilization(before).utilization > BUSY.waiting;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
