import { describe, expect, it } from "vitest";
import { patchRows, prependRow } from "./cache-sync.ts";

const a = { id: "a", n: 1 };
const b = { id: "b", n: 1 };
const changed = { id: "b", n: 2 };
const now = new Map([["b", changed]]);

describe("rows patched in cached lists", () => {
  it("replaces the row it knows, in a list and in pages", () => {
    expect(patchRows({ items: [a, b], total: 2 }, now)).toEqual({ items: [a, { id: "b", n: 2 }], total: 2 });
    expect(patchRows({ pages: [{ items: [a] }, { items: [b] }], pageParams: [] }, now)).toEqual({
      pages: [{ items: [a] }, { items: [{ id: "b", n: 2 }] }],
      pageParams: [],
    });
  });
  it("takes out the row that is gone", () =>
    expect(patchRows({ pages: [{ items: [a, b] }] }, new Map([["a", null]]))).toEqual({ pages: [{ items: [b] }] }));
  it("leaves lists that do not hold it the very same", () => {
    const list = { items: [a] };
    const pages = { pages: [list] };
    expect(patchRows(list, now)).toBe(list);
    expect(patchRows(pages, now)).toBe(pages);
    expect(patchRows(undefined, now)).toBeUndefined();
    expect(patchRows({ total: 3, nextTry: null }, now)).toEqual({ total: 3, nextTry: null });
  });
});

describe("rows put in front", () => {
  it("comes first, counts, and pushes out the last", () =>
    expect(prependRow({ items: [a], total: 9 }, b, 1)).toEqual({ items: [b], total: 10 }));
  it("is not put in twice", () =>
    expect(prependRow({ items: [a, b], total: 2 }, changed, 10)).toEqual({ items: [a, changed], total: 2 }));
  it("makes no list of what was not read yet", () => expect(prependRow(undefined, a, 10)).toBeUndefined());
});
