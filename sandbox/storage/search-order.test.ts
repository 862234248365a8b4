import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { First, type Found, inOrder } from "./search-order.ts";

const rows = (key: fc.Arbitrary<string | number>) =>
  fc.uniqueArray(fc.record({ seq: fc.integer({ min: 1, max: 1_000 }), key }), {
    selector: ({ seq }) => seq,
    maxLength: 60,
  });

describe("the order of rows", () => {
  it("is that of the bytes in the file for text, and of size for numbers, whatever the direction", () => {
    fc.assert(
      fc.property(
        fc.oneof(rows(fc.string({ unit: "binary", maxLength: 4 })), rows(fc.integer())),
        fc.boolean(),
        (all, down) => {
          const byBytes = (one: Found, other: Found): number =>
            (typeof one.key === "number"
              ? one.key - Number(other.key)
              : Buffer.compare(Buffer.from(one.key), Buffer.from(String(other.key)))) || one.seq - other.seq;
          const expected = all.toSorted(byBytes);
          expect(all.toSorted(inOrder(down))).toEqual(down ? expected.toReversed() : expected);
        },
      ),
    );
  });
});

describe("the first of many", () => {
  it("are those that follow a row, as many as asked for, and all are counted, however they come", () => {
    fc.assert(
      fc.property(
        rows(fc.integer({ min: 0, max: 9 })),
        fc.nat(70),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (all, at, keep, down) => {
          const sorted = all.toSorted(inOrder(down));
          const first = new First<Found>(down, sorted[at] ?? null, keep);
          for (let from = 0; from < all.length; from += 7) first.add(all.slice(from, from + 7));
          const from = sorted[at] ? at + 1 : 0;
          expect([first.count, first.rows()]).toEqual([all.length, sorted.slice(from, from + keep)]);
        },
      ),
    );
  });
});
