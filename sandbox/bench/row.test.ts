import { describe, expect, it } from "vitest";
import { comparedRow, type Figure, plainRow, type Target, unmeasuredRow, verdictOf } from "./row.ts";

const ratio = (value: number): Figure => ({ value, unit: "×" });

describe("verdicts", () => {
  it.each<[number, Target, string]>([
    [0.55, { least: 0.55 }, "met"],
    [0.5499, { least: 0.55 }, "missed"],
    [300, { most: 300 }, "met"],
    [300.1, { most: 300 }, "missed"],
    [-12, { most: 100 }, "met"],
  ])("%d against %o is %s", (value, target, verdict) => {
    expect(verdictOf({ judged: ratio(value), target })).toBe(verdict);
  });

  it("a row without a target has no verdict", () => {
    expect(verdictOf({ judged: ratio(1), target: null })).toBe("no target");
  });

  it("what could not be measured is neither met nor missed, and says why", () => {
    const row = unmeasuredRow("peers", "against peers", "the registry cannot be reached", { least: 15 });
    expect(verdictOf(row)).toBe("not measured");
    expect(row.notes).toEqual(["the registry cannot be reached"]);
  });
});

describe("rows", () => {
  it("a compared row judges the ratio of the medians and keeps every value", () => {
    const row = comparedRow({
      group: "jobs.get",
      what: "reads",
      unit: "/s",
      values: [100, 120, 110],
      reference: { name: "H", values: [200, 220, 240] },
      target: { least: 0.5 },
    });
    expect(row.measured).toEqual({ value: 110, unit: "/s" });
    expect(row.beside).toEqual({ name: "H", figure: { value: 220, unit: "/s" } });
    expect(row.judged).toEqual(ratio(0.5));
    expect(row.range).toEqual({ least: 110 / 240, greatest: 120 / 220 });
    expect(row.samples).toEqual({ measured: [100, 120, 110], H: [200, 220, 240] });
    expect(verdictOf(row)).toBe("met");
  });

  it("a plain row judges the figure itself", () => {
    const row = plainRow("memory", "idle", { value: 96, unit: "MB" }, { target: { most: 95 } });
    expect(row.judged).toEqual({ value: 96, unit: "MB" });
    expect(verdictOf(row)).toBe("missed");
  });
});
