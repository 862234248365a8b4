/** How the last attempt at a receiver went; "none" where there was none yet. */
export type LastAttempt = "acknowledged" | "none" | "failed" | "overdue";

interface Limits {
  /** How many attempts of one world are under way at once. */
  readonly world: number;
  readonly all: number;
  /** How many begin in one turn of the event loop, so that callers are answered between. */
  readonly together: number;
}

/** Earlier ones are served first. An attempt at a receiver that hangs holds its slot for ten seconds. */
const CLASSES: readonly (Limits & { readonly last: readonly LastAttempt[] })[] = [
  { last: ["acknowledged"], world: 1_200, all: 1_600, together: 16 },
  { last: ["none", "failed"], world: 1_200, all: 1_600, together: 4 },
  { last: ["overdue"], world: 300, all: 400, together: 4 },
];

type Begin = (release: () => void) => void;

/** The slots of one class, handed to the worlds that wait for one in turn. */
class Slots {
  readonly #limits: Limits;
  readonly #released: () => void;
  /** By world, the world whose turn it is first. */
  readonly #waiting = new Map<string, Begin[]>();
  readonly #held = new Map<string, number>();
  #heldInAll = 0;
  #begun = 0;

  constructor(limits: Limits, released: () => void) {
    this.#limits = limits;
    this.#released = released;
  }

  wait(world: string, begin: Begin): void {
    const waiting = this.#waiting.get(world) ?? [];
    waiting.push(begin);
    this.#waiting.set(world, waiting);
  }

  /** Lets those begin that may in this turn of the event loop. */
  fill(): void {
    while (this.#begun < this.#limits.together && this.#heldInAll < this.#limits.all) {
      const [world, waiting] = this.#next() ?? [];
      if (world === undefined || waiting === undefined) return;
      const begin = waiting.shift();
      // Behind the other worlds, until it is its turn again.
      this.#waiting.delete(world);
      if (waiting.length > 0) this.#waiting.set(world, waiting);
      this.#hold(world, 1);
      this.#begun += 1;
      begin?.(() => {
        this.#hold(world, -1);
        this.#released();
      });
    }
  }

  /** Another turn of the event loop began. */
  nextTurn(): void {
    this.#begun = 0;
    this.fill();
  }

  get hasBegun(): boolean {
    return this.#begun > 0;
  }

  #next(): [string, Begin[]] | undefined {
    for (const entry of this.#waiting) if ((this.#held.get(entry[0]) ?? 0) < this.#limits.world) return entry;
    return undefined;
  }

  #hold(world: string, change: 1 | -1): void {
    const held = (this.#held.get(world) ?? 0) + change;
    this.#heldInAll += change;
    if (held > 0) this.#held.set(world, held);
    else this.#held.delete(world);
  }
}

/**
 * Decides who sends when. Receivers have slots by how their last attempt went, so that a good one never waits behind a
 * thousand that hang, flood or send garbage, in its world or in another (D88).
 */
export class Schedule {
  readonly #classes = CLASSES.map((one) => ({ ...one, slots: new Slots(one, () => this.#fill()) }));
  #isTurnCounted = false;

  /** Resolves when an attempt of a world may begin. @returns what to call when it has ended */
  slot(world: string, last: LastAttempt): Promise<() => void> {
    return new Promise((resolve) => {
      this.#classes.find((one) => one.last.includes(last))?.slots.wait(world, resolve);
      this.#fill();
    });
  }

  #fill(): void {
    for (const { slots } of this.#classes) slots.fill();
    this.#countTurn();
  }

  #countTurn(): void {
    if (this.#isTurnCounted || !this.#classes.some(({ slots }) => slots.hasBegun)) return;
    this.#isTurnCounted = true;
    setImmediate(() => {
      this.#isTurnCounted = false;
      for (const { slots } of this.#classes) slots.nextTurn();
      this.#countTurn();
    });
  }
}
