import { expect, it } from "vitest";
import { describeRule, findOrderingRules, findSupplierRule, type StoredRule } from "./counterparts.ts";

const rule = (id: string, over: Partial<StoredRule> = {}): StoredRule => ({
  ...{ id, does: "order", organization_id: "a", supplier_id: "s", done: 0, off: null },
  ...over,
});
const off = { at: 0, sentence: "", trace_id: null };

it("D92: the first active rule of an organization applies, and a buyer's ends after its number", () => {
  const ids = (...rules: StoredRule[]) => findOrderingRules(rules).map(({ id }) => id);
  expect(ids(rule("1", { off }), rule("2"), rule("3"), rule("4", { organization_id: "b" }))).toEqual(["2", "4"]);
  expect(ids(rule("1", { up_to: 2, done: 2 }), rule("2"))).toEqual([]);
  expect(ids(rule("1", { done: 9 }), rule("2", { does: "confirm", organization_id: "b" }))).toEqual(["1"]);
  const confirms = rule("3", { does: "confirm" });
  expect(findSupplierRule([rule("1"), rule("2", { does: "cancel", off }), confirms, rule("4")], "a")).toBe(confirms);
  expect(findSupplierRule([confirms], "b")).toBeUndefined();
});

it("describes its period in the largest unit that fits", () => {
  const said = (over: Partial<StoredRule>) => describeRule(rule("1", over), (id) => id.toUpperCase());
  expect(said({})).toBe("A orders from S every 5 min, up to 10 times.");
  expect(said({ every_seconds: 90, up_to: 3 })).toBe("A orders from S every 1 min 30 s, up to 3 times.");
  expect(said({ up_to: 1 })).toBe("A orders once from S, after 5 min.");
  expect(said({ does: "confirm" })).toBe("A confirms its orders at once.");
  expect(said({ does: "cancel", after_seconds: 172_800 })).toBe("A cancels its orders 2 d after they were placed.");
  expect(said({ does: "never" })).toBe("A never answers its orders.");
});
