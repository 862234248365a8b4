import { describe, expect, it } from "vitest";
import { orderedWords } from "./basket-words.ts";

const words = (orderedParts: number, all: number) =>
  orderedWords({ orderedParts, table: { rows: Array.from({ length: all }) } });

describe("what is ordered of a basket", () => {
  it("is said of all parts and of some", () => {
    expect([words(8, 8), words(1, 1), words(1, 8), words(3, 8)]).toEqual([
      "All 8 parts are ordered",
      "The only part is ordered",
      "1 of 8 parts is ordered",
      "3 of 8 parts are ordered",
    ]);
  });
});
