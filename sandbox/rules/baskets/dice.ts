import { hash } from "node:crypto";

/**
 * Numbers that look thrown but follow from names: the same names give the same numbers (D43). Every question has a
 * slot of its own (0 to 15), so that a new question never changes the answers to the others.
 */
export class Dice {
  readonly #bytes: Buffer;

  constructor(...names: readonly string[]) {
    this.#bytes = hash("sha256", JSON.stringify(names), "buffer");
  }

  /** A whole number from `low` to `high`, both included. */
  between(slot: number, low: number, high: number): number {
    return low + (this.#bytes.readUInt16LE(slot * 2) % (high - low + 1));
  }

  /** True in `percent` of a hundred cases. */
  happens(slot: number, percent: number): boolean {
    return this.between(slot, 0, 99) < percent;
  }

  /** One of the choices. */
  pick<T>(slot: number, choices: readonly [T, ...T[]]): T {
    return choices[this.between(slot, 0, choices.length - 1)] ?? choices[0];
  }
}
