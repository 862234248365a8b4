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

/** The namespace of every identifier the sandbox derives from names; any constant would do, this one never changes. */
const NAMESPACE = Buffer.from("5b1f6f0c3d0e4c8e9a475f2c9e61d7a4", "hex");

/** A version 5 UUID (RFC 9562) of a list of names: the same names give the same UUID, on every machine (D83). */
export const namedUuid = (...names: readonly string[]): string => {
  const bytes = hash("sha1", Buffer.concat([NAMESPACE, Buffer.from(JSON.stringify(names))]), "buffer");
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex", 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};
