import { describe, expect, it } from "vitest";
import { differences } from "./diff.ts";
import { writtenJson } from "./parsed-json.ts";

const paths = (before: unknown, after: unknown) =>
  differences(before, after).map(({ kind, path }) => `${kind} ${path}`);

describe("differences", () => {
  it("are empty for equal values", () =>
    expect(differences({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]));

  it("distinguish changed, added and removed fields", () => {
    expect(paths({ status: "requested", note: "x" }, { status: "confirmed", total: 1 })).toEqual([
      "changed status",
      "added total",
      "removed note",
    ]);
  });

  it("compare numbers as written, beyond the range of floats", () => {
    const body = (digits: string) => writtenJson(`{"id": ${digits}, "at": [1.50]}`);
    expect(paths(body("12345678901234567890"), body("12345678901234567890"))).toEqual([]);
    expect(paths(body("12345678901234567890"), body("12345678901234567891"))).toEqual(["changed id"]);
  });

  it("distinguish null from absent", () => {
    expect(paths({ a: null }, { a: 1 })).toEqual(["changed a"]);
    expect(paths({}, { a: null })).toEqual(["added a"]);
  });

  it("have readable paths, and pointers like JSON", () => {
    const [found] = differences({ items: [{ offer: { "a/b": 1 } }] }, { items: [{ offer: { "a/b": 2 } }] });
    expect(found).toMatchObject({ path: "items[0].offer.a/b", pointer: "/items/0/offer/a~1b", before: 1, after: 2 });
  });

  it("match rows by ID, so that an inserted one is one difference", () => {
    expect(
      paths(
        { items: [{ id: "a", n: 1 }] },
        {
          items: [
            { id: "b", n: 2 },
            { id: "a", n: 1 },
          ],
        },
      ),
    ).toEqual(["added items[0]"]);
    expect(paths({ items: [{ id: "a" }, { id: "b" }] }, { items: [{ id: "b" }] })).toEqual(["removed items[0]"]);
  });

  it("compare other lists by position", () => expect(paths([1, 2, 3], [1, 4])).toEqual(["changed [1]", "removed [2]"]));
  it("treat another type as a change", () => expect(paths({ a: {} }, { a: [] })).toEqual(["changed a"]));
});
