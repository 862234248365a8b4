import { hash } from "node:crypto";

/**
 * Pseudo-random numbers derived from names: the same names give the same numbers (D43). Each question uses its own slot
 * (0 to 15), so a new question never changes other results.
 */
export class Dice {
  readonly #bytes: Buffer;

  constructor(...names: readonly string[]) {
    this.#bytes = hash("sha256", JSON.stringify(names), "buffer");
  }

  /** Integer from `low` to `high`, both inclusive. */
  between(slot: number, low: number, high: number): number {
    return low + (this.#bytes.readUInt16LE(slot * 2) % (high - low + 1));
  }

  /** True with this probability in percent. */
  happens(slot: number, percent: number): boolean {
    return this.between(slot, 0, 99) < percent;
  }

  pick<T>(slot: number, choices: readonly [T, ...T[]]): T {
    return choices[this.between(slot, 0, choices.length - 1)] ?? choices[0];
  }
}

/** Namespace of all derived UUIDs. Arbitrary, but must never change. */
const NAMESPACE = Buffer.from("5b1f6f0c3d0e4c8e9a475f2c9e61d7a4", "hex");

/** Version 5 UUID (RFC 9562) of a list of names, the same on every machine (D83). */
export const namedUuid = (...names: readonly string[]): string => {
  const bytes = hash("sha1", Buffer.concat([NAMESPACE, Buffer.from(JSON.stringify(names))]), "buffer");
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex", 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};
