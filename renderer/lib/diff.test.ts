import { describe, expect, it } from "vitest";
import { differences } from "./diff.ts";
import { writtenJson } from "./parsed-json.ts";

const paths = (before: unknown, after: unknown) =>
  differences(before, after).map(({ kind, path }) => `${kind} ${path}`);

describe("differences", () => {
  it("finds none between equal values", () =>
    expect(differences({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]));

  it("tells changed, added and removed fields apart", () => {
    expect(paths({ status: "requested", note: "x" }, { status: "confirmed", total: 1 })).toEqual([
      "changed status",
      "added total",
      "removed note",
    ]);
  });

  it("compares numbers as they are written, beyond what a program's numbers hold", () => {
    const body = (digits: string) => writtenJson(`{"id": ${digits}, "at": [1.50]}`);
    expect(paths(body("12345678901234567890"), body("12345678901234567890"))).toEqual([]);
    expect(paths(body("12345678901234567890"), body("12345678901234567891"))).toEqual(["changed id"]);
  });

  it("tells null from absent", () => {
    expect(paths({ a: null }, { a: 1 })).toEqual(["changed a"]);
    expect(paths({}, { a: null })).toEqual(["added a"]);
  });

  it("writes paths as people say them, and pointers as JSON does", () => {
    const [found] = differences({ items: [{ offer: { "a/b": 1 } }] }, { items: [{ offer: { "a/b": 2 } }] });
    expect(found).toMatchObject({ path: "items[0].offer.a/b", pointer: "/items/0/offer/a~1b", before: 1, after: 2 });
  });

  it("matches rows by id, so that one in front is one difference", () => {
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

  it("compares other lists place by place", () =>
    expect(paths([1, 2, 3], [1, 4])).toEqual(["changed [1]", "removed [2]"]));
  it("treats another kind of value as a change", () => expect(paths({ a: {} }, { a: [] })).toEqual(["changed a"]));
});
