import { DueClock } from "../storage/due-clock.ts";

/** How many attempts are under way at once. One at a receiver that hangs costs a socket for ten seconds, and little else. */
const SLOTS = 1_600;

/** A number of slots, given to the worlds that wait for one in turn. */
class Slots {
  /** How many begin in one turn of the event loop, so that callers are answered between. */
  readonly #together: number;
  /** Waiting sends by world, the world whose turn is next first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #free = SLOTS;
  #begun = 0;

  constructor(together: number) {
    this.#together = together;
  }

  /** Resolves when an attempt of a world may begin. @returns what to call when it has ended */
  async take(world: string): Promise<() => void> {
    await new Promise<void>((begin) => {
      const waiting = this.#waiting.get(world);
      if (waiting) waiting.push(begin);
      else this.#waiting.set(world, [begin]);
      this.#fill();
    });
    return () => {
      this.#free += 1;
      this.#fill();
    };
  }

  #fill(): void {
    while (this.#free > 0 && this.#begun < this.#together) {
      const [next] = this.#waiting;
      if (!next) return;
      const [world, waiting] = next;
      const begin = waiting.shift();
      // Behind the other worlds, until it is its turn again.
      this.#waiting.delete(world);
      if (waiting.length > 0) this.#waiting.set(world, waiting);
      this.#free -= 1;
      if (this.#begun === 0)
        setImmediate(() => {
          this.#begun = 0;
          this.#fill();
        });
      this.#begun += 1;
      begin?.();
    }
  }
}

/**
 * Decides who sends when. Receivers that acknowledged their last attempt have slots of their own, so that none of them
 * waits behind a thousand that hang, flood or send garbage, in its world or in another (D88).
 */
export class Schedule {
  /** When something is due. */
  readonly clock = new DueClock();
  readonly #good = new Slots(16);
  readonly #others = new Slots(4);

  /** Resolves when an attempt of a world may begin. @returns what to call when it has ended */
  slot(world: string, acknowledgedLast: boolean): Promise<() => void> {
    return (acknowledgedLast ? this.#good : this.#others).take(world);
  }
}
