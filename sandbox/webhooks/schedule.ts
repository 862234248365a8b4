import { DueClock } from "../storage/due-clock.ts";

/** Concurrent attempts. One at a hanging receiver costs little more than a socket for ten seconds. */
const SLOTS = 1_600;

/** Slots given to waiting worlds in turn. */
class Slots {
  /** Attempts started in one turn of the event loop, so that callers are served between. */
  readonly #together: number;
  /** Waiting sends by world, next world first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #free = SLOTS;
  #begun = 0;

  constructor(together: number) {
    this.#together = together;
  }

  /** Resolves when an attempt of a world may start. @returns a function that frees the slot */
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
      // Moves the world to the end of the queue.
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
 * Schedules attempts. Receivers that acknowledged their last attempt have separate slots, so they never wait behind a
 * thousand hanging or misbehaving ones in any world (D88).
 */
export class Schedule {
  /** Clock for due deliveries. */
  readonly clock = new DueClock();
  readonly #good = new Slots(16);
  readonly #others = new Slots(4);

  /** Resolves when an attempt of a world may start. @returns a function that frees the slot */
  slot(world: string, acknowledgedLast: boolean): Promise<() => void> {
    return (acknowledgedLast ? this.#good : this.#others).take(world);
  }
}
