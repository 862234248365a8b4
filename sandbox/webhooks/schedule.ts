/** How many attempts are under way at once, of one world and of all, to receivers that answer or are not known yet. */
const AT_ONCE = { world: 1_200, all: 1_600 } as const;
/** The same beside them, to receivers that let the time of their last attempt run out. */
const HANGING_AT_ONCE = { world: 300, all: 400 } as const;
/** How many begin in one turn of the event loop, so that callers are answered between. */
const BEGIN_TOGETHER = 16;

/** Who has something to send. */
export interface Sending {
  /** Whose slots it shares. */
  readonly world: object;
  /** Whether its last attempt ran out of time. */
  readonly hangs: boolean;
}

/** Slots of one sort, handed to the worlds that wait for one in turn. */
class Slots<T extends Sending> {
  readonly #limits: { readonly world: number; readonly all: number };
  readonly #held = new Map<T, object>();
  readonly #heldByWorld = new Map<object, number>();
  readonly #waiting = new Map<object, Set<T>>();

  constructor(limits: { readonly world: number; readonly all: number }) {
    this.#limits = limits;
  }

  has(one: T): boolean {
    return this.#held.has(one) || (this.#waiting.get(one.world)?.has(one) ?? false);
  }

  wait(one: T): void {
    const waiting = this.#waiting.get(one.world) ?? new Set();
    this.#waiting.set(one.world, waiting.add(one));
  }

  /** The next that may begin, and holds a slot from now on; undefined when there is none. */
  take(): T | undefined {
    if (this.#held.size >= this.#limits.all) return undefined;
    for (const [world, waiting] of this.#waiting) {
      const held = this.#heldByWorld.get(world) ?? 0;
      const [one] = waiting;
      if (one === undefined || held >= this.#limits.world) continue;
      waiting.delete(one);
      // Behind the other worlds, until it is its turn again.
      this.#waiting.delete(world);
      if (waiting.size > 0) this.#waiting.set(world, waiting);
      this.#held.set(one, world);
      this.#heldByWorld.set(world, held + 1);
      return one;
    }
    return undefined;
  }

  remove(one: T): void {
    const world = this.#held.get(one);
    if (world !== undefined) {
      const held = (this.#heldByWorld.get(world) ?? 1) - 1;
      if (held > 0) this.#heldByWorld.set(world, held);
      else this.#heldByWorld.delete(world);
      this.#held.delete(one);
    }
    const waiting = this.#waiting.get(one.world);
    if (waiting?.delete(one) && waiting.size === 0) this.#waiting.delete(one.world);
  }
}

/**
 * Decides who sends when: one attempt of each at a time, the worlds in turn. The limits are such that a thousand
 * receivers that hang leave slots for others, in their world and in every other (D88).
 */
export class Schedule<T extends Sending> {
  readonly #begin: (one: T) => void;
  readonly #slots = new Slots<T>(AT_ONCE);
  readonly #hanging = new Slots<T>(HANGING_AT_ONCE);
  #begun = 0;

  /** @param begin called with one that may send now; `done` says when it has */
  constructor(begin: (one: T) => void) {
    this.#begin = begin;
  }

  /** It has something to send now. Whoever waits or sends already is not added again. */
  add(one: T): void {
    if (this.#slots.has(one) || this.#hanging.has(one)) return;
    (one.hangs ? this.#hanging : this.#slots).wait(one);
    this.#fill();
  }

  /** Its attempt ended, or it has nothing to send any more. */
  done(one: T): void {
    this.#slots.remove(one);
    this.#hanging.remove(one);
    this.#fill();
  }

  #fill(): void {
    while (this.#begun < BEGIN_TOGETHER) {
      const next = this.#slots.take() ?? this.#hanging.take();
      if (next === undefined) return;
      this.#begun += 1;
      if (this.#begun === 1)
        setImmediate(() => {
          this.#begun = 0;
          this.#fill();
        });
      this.#begin(next);
    }
  }
}
