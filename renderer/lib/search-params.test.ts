import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choice, flag, id, isId, searchParams, text, textThat } from "./search-params.ts";

const colours = ["red", "green", "blue"] as const;
const params = searchParams({
  search: text,
  colour: choice(colours),
  order: choice(colours, "green"),
  site: id,
  add: flag,
  world: textThat((world) => /^[a-z]+$/.test(world)),
});

const anyText = fc.string({ unit: "grapheme" });
const anyValues = fc.record({
  search: anyText,
  colour: fc.constantFrom(null, ...colours),
  order: fc.constantFrom(...colours),
  site: fc.option(fc.uuid()),
  add: fc.boolean(),
  world: fc.constantFrom(null, "qa"),
});
/** Parameters of others in the same query. */
const others = fc.array(fc.constantFrom("wire=a%20b", "add2", "q=a+b", "x=%zz", "sites=1"));

describe("the query of an address", () => {
  it("parses back to the same values, whatever else it contains", () => {
    fc.assert(
      fc.property(anyValues, anyValues, others, (before, values, parts) => {
        const query = params.format(params.format(`?${parts.join("&")}`, before), values);
        expect(params.parse(query)).toEqual(values);
      }),
    );
  });

  it("is otherwise unchanged, byte for byte", () => {
    fc.assert(
      fc.property(anyValues, others, (values, parts) => {
        const query = params.format(parts.join("&"), values);
        const usual = params.parse("");
        expect(params.format(query, usual)).toBe(parts.length === 0 ? "" : `?${parts.join("&")}`);
      }),
    );
  });

  it("falls back to defaults for invalid values", () => {
    const usual = params.parse("");
    fc.assert(
      fc.property(anyText, (odd) => {
        const none = { colour: `no ${odd}`, order: `no ${odd}`, site: `no ${odd}`, world: `no ${odd}` };
        expect(params.parse(new URLSearchParams(none).toString())).toEqual(usual);
      }),
    );
    expect(usual).toEqual({ search: "", colour: null, order: "green", site: null, add: false, world: null });
  });

  it("accepts one of its words only as a whole", () => {
    expect(["?add", "?x=1&search=", "?colour=none"].map(params.isNamedIn)).toEqual([true, true, true]);
    expect(["", "?", "?added", "?research=1"].map(params.isNamedIn)).toEqual([false, false, false, false]);
  });

  it("changes in part, in its own order", () => {
    expect(params.format("?site=&add&colour=red", { search: "a&b" })).toBe("?search=a%26b&colour=red&add");
    expect(params.format("?colour=red&wire=1", { colour: null })).toBe("?wire=1");
  });
});

describe("an identifier", () => {
  const one = "01a1ff86-3653-4f6e-b85a-7ae8374fa8e1";
  it("is matched as a whole, in either case, and lower-cased", () => {
    expect([one, one.toUpperCase()].map(isId)).toEqual([true, true]);
    expect([`${one} `, one.slice(1), "409"].map(isId)).toEqual([false, false, false]);
    expect(params.parse(`site=${one.toUpperCase()}`).site).toBe(one);
  });
});
