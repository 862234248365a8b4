import { DueClock } from "../storage/due-clock.ts";

/** Concurrent attempts in each of two pools. One at a hanging receiver costs little more than a socket for ten seconds. */
const SLOTS = 1_600;

/** Attempts that each pool starts in one turn of the event loop, so that callers are served between. */
const ACKNOWLEDGING_PER_TURN = 16;
const OTHERS_PER_TURN = 4;

/** Slots given to waiting worlds in turn. */
class Slots {
  readonly #perTurn: number;
  /** Waiting sends by world, next world first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #free = SLOTS;
  #started = 0;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
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
    while (this.#free > 0 && this.#started < this.#perTurn) {
      const [next] = this.#waiting;
      if (!next) return;
      const [world, waiting] = next;
      const begin = waiting.shift();
      // Moves the world to the end of the queue.
      this.#waiting.delete(world);
      if (waiting.length > 0) this.#waiting.set(world, waiting);
      this.#free -= 1;
      if (this.#started === 0)
        setImmediate(() => {
          this.#started = 0;
          this.#fill();
        });
      this.#started += 1;
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
  readonly #acknowledging = new Slots(ACKNOWLEDGING_PER_TURN);
  readonly #others = new Slots(OTHERS_PER_TURN);

  /** Resolves when an attempt of a world may start. @returns a function that frees the slot */
  slot(world: string, acknowledgedLast: boolean): Promise<() => void> {
    return (acknowledgedLast ? this.#acknowledging : this.#others).take(world);
  }
}
