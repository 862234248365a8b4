/** How the last attempt at a receiver went; "none" where there was none yet. */
export type LastAttempt = "acknowledged" | "none" | "failed" | "overdue";

interface Limits {
  /** How many attempts of one world are under way at once. */
  readonly world: number;
  readonly all: number;
}

const MANY: Limits = { world: 1_200, all: 1_600 };
/** By how the last attempt went; the earlier is served first. An attempt at one that hangs holds its slot for ten seconds. */
const AT_ONCE: readonly (readonly [LastAttempt, Limits])[] = [
  ["acknowledged", MANY],
  ["none", MANY],
  ["failed", MANY],
  ["overdue", { world: 300, all: 400 }],
];
/** How many begin in one turn of the event loop, so that callers are answered between. */
const BEGIN_TOGETHER = { good: 16, others: 4 } as const;

/** Who has something to send. */
export interface Sending {
  /** Whose slots it shares. */
  readonly world: object;
  readonly lastAttempt: LastAttempt;
}

/** Slots of those whose last attempts went alike, handed to the worlds that wait for one in turn. */
class Slots<T extends Sending> {
  readonly #limits: Limits;
  readonly #held = new Map<T, object>();
  readonly #heldByWorld = new Map<object, number>();
  readonly #waiting = new Map<object, Set<T>>();

  constructor(limits: Limits) {
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
  next(): T | undefined {
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
 * Decides who sends when: one attempt of each at a time, the worlds in turn. Receivers have slots by how their last attempt went, so
 * that a good one never waits behind a thousand that hang, flood or send garbage, in its world or in another (D88).
 */
export class Schedule<T extends Sending> {
  readonly #begin: (one: T) => void;
  readonly #slots = AT_ONCE.map(([last, limits]) => ({ last, slots: new Slots<T>(limits) }));
  #begun = { good: 0, others: 0 };
  #counting = false;

  /** @param begin called with one that may send now; `done` says when it has */
  constructor(begin: (one: T) => void) {
    this.#begin = begin;
  }

  /** It has something to send now. Whoever waits or sends already is not added again. */
  add(one: T): void {
    if (this.#slots.some(({ slots }) => slots.has(one))) return;
    this.#slots.find(({ last }) => last === one.lastAttempt)?.slots.wait(one);
    this.#fill();
  }

  /** Its attempt ended, or it has nothing to send any more. */
  done(one: T): void {
    for (const { slots } of this.#slots) slots.remove(one);
    this.#fill();
  }

  #next(): T | undefined {
    for (const { last, slots } of this.#slots) {
      const group = last === "acknowledged" ? "good" : "others";
      const next = this.#begun[group] < BEGIN_TOGETHER[group] ? slots.next() : undefined;
      if (next === undefined) continue;
      this.#begun[group] += 1;
      return next;
    }
    return undefined;
  }

  #fill(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (!this.#counting) setImmediate(() => this.#nextTurn());
      this.#counting = true;
      this.#begin(next);
    }
  }

  #nextTurn(): void {
    this.#counting = false;
    this.#begun = { good: 0, others: 0 };
    this.#fill();
  }
}
