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

describe("what stands behind the “?” of an address", () => {
  it("comes back the same after it was written, whatever else stands there", () => {
    fc.assert(
      fc.property(anyValues, anyValues, others, (before, values, parts) => {
        const query = params.format(params.format(`?${parts.join("&")}`, before), values);
        expect(params.parse(query)).toEqual(values);
      }),
    );
  });

  it("keeps every other byte as it was", () => {
    fc.assert(
      fc.property(anyValues, others, (values, parts) => {
        const query = params.format(parts.join("&"), values);
        const usual = params.parse("");
        expect(params.format(query, usual)).toBe(parts.length === 0 ? "" : `?${parts.join("&")}`);
      }),
    );
  });

  it("is as usual where it is no value of its kind", () => {
    const usual = params.parse("");
    fc.assert(
      fc.property(anyText, (odd) => {
        const none = { colour: `no ${odd}`, order: `no ${odd}`, site: `no ${odd}`, world: `no ${odd}` };
        expect(params.parse(new URLSearchParams(none).toString())).toEqual(usual);
      }),
    );
    expect(usual).toEqual({ search: "", colour: null, order: "green", site: null, add: false, world: null });
  });

  it("is named by one of its words alone, as a whole", () => {
    expect(["?add", "?x=1&search=", "?colour=none"].map(params.isNamedIn)).toEqual([true, true, true]);
    expect(["", "?", "?added", "?research=1"].map(params.isNamedIn)).toEqual([false, false, false, false]);
  });

  it("changes in part, in an order of its own", () => {
    expect(params.format("?site=&add&colour=red", { search: "a&b" })).toBe("?search=a%26b&colour=red&add");
    expect(params.format("?colour=red&wire=1", { colour: null })).toBe("?wire=1");
  });
});

describe("an identifier", () => {
  const one = "01a1ff86-3653-4f6e-b85a-7ae8374fa8e1";
  it("is one as a whole, in either case, and is read in small letters", () => {
    expect([one, one.toUpperCase()].map(isId)).toEqual([true, true]);
    expect([`${one} `, one.slice(1), "409"].map(isId)).toEqual([false, false, false]);
    expect(params.parse(`site=${one.toUpperCase()}`).site).toBe(one);
  });
});
