import { describe, expect, it } from "vitest";
import {
  compareCommits,
  differenceRow,
  figureText,
  interleave,
  median,
  p95,
  plainRow,
  ratioRow,
  rowVerdict,
  type Target,
  tableText,
  unmeasuredRow,
} from "./statistics.ts";

describe("statistics of a run", () => {
  it("the median is the middle value, or the mean of the two middle values", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 100])).toBe(3);
    expect(() => median([])).toThrow("There is no median of nothing.");
  });

  it("a percentile is an actual value, with 95 % of all values at or below it", () => {
    expect(p95(Array.from({ length: 100 }, (_, index) => 100 - index))).toBe(95);
    expect(p95([7])).toBe(7);
    expect(() => p95([])).toThrow("There is no percentile of nothing.");
  });

  it("variants are measured alternately, never concurrently, without the first round", async () => {
    let [calls, underWay, most] = [0, 0, 0];
    const measure = async (): Promise<number> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      calls += 1;
      return calls;
    };
    expect(await interleave(3, { H: measure, ours: measure })).toEqual({ H: [3, 5, 7], ours: [4, 6, 8] });
    expect(most).toBe(1);
  });

  it("a failing variant ends the measurement", async () => {
    const failing = () => Promise.reject(new Error("3 of 10 answers were no success"));
    await expect(interleave(3, { failing })).rejects.toThrow("3 of 10 answers");
  });
});

describe("verdicts", () => {
  it.each<[number, Target, string]>([
    [0.55, { least: 0.55 }, "met"],
    [0.5499, { least: 0.55 }, "missed"],
    [300, { most: 300 }, "met"],
    [300.1, { most: 300 }, "missed"],
    [-12, { most: 100 }, "met"],
    [1, null, "no target"],
  ])("%d against %o is %s", (value, target, verdict) => {
    expect(rowVerdict({ judged: { value, unit: "ms" }, target })).toBe(verdict);
  });

  it("a ratio compares medians, and its range compares repetitions in pairs", () => {
    const reference = { name: "H", values: [200, 220, 1_000] };
    const row = ratioRow({ what: "reads", unit: "/s", values: [100, 120, 110], reference, target: { least: 0.5 } });
    expect(row.judged).toEqual({ value: 0.5, unit: "×" });
    expect(row.range).toEqual([0.11, 120 / 220]);
    expect(rowVerdict(row)).toBe("met");
  });

  it("a difference keeps its unit", () => {
    const reference = { name: "open", values: [1, 2, 3] };
    const row = differenceRow({ what: "new", unit: "ms", values: [5, 6, 7], reference, target: { most: 3 } });
    expect(row.judged).toEqual({ value: 4, unit: "ms" });
    expect(rowVerdict(row)).toBe("missed");
  });

  it("an unmeasured row is neither met nor missed", () => {
    expect(rowVerdict(unmeasuredRow("peers", "no registry"))).toBe("not measured");
  });
});

describe("comparison with another commit", () => {
  it("compares medians of the same rounds", () => {
    expect(compareCommits("abc", [50, 100, 90], [100, 100, 100])).toEqual({ commit: "abc", ratio: 0.9 });
  });

  it("prints results that are more than 10 % worse", () => {
    const row = plainRow({ what: "reads", unit: "/s", values: [7], target: { least: 5 } });
    const against = [
      { commit: "old", ratio: 0.54 },
      { commit: "older", ratio: 0.91 },
    ];
    expect(tableText([{ ...row, against }])).toContain("| met, **46 % worse than old** |");
  });
});

describe("the table", () => {
  it("formats figures for people", () => {
    expect(figureText({ value: 12_480.4, unit: "/s" })).toBe("12,480 /s");
    expect(figureText({ value: 0.6149, unit: "×" })).toBe("0.61 ×");
    expect(figureText({ value: 99.9, unit: "%" })).toBe("99.9 %");
    expect(figureText({ value: 0.3456, unit: "ms" })).toBe("0.35 ms");
    expect(figureText({ value: 54.321, unit: "ms" })).toBe("54.3 ms");
    expect(figureText({ value: 1_359.7, unit: "ms" })).toBe("1,360 ms");
  });

  it("is aligned, with target and verdict of each row and notes below", () => {
    const rows = [
      ratioRow({
        what: "reads",
        unit: "/s",
        values: [11_000, 12_000],
        reference: { name: "H", values: [20_000, 20_000] },
        target: { least: 0.55 },
      }),
      plainRow({ what: "idle", unit: "MB", values: [120], target: { most: 95 }, note: "after two seconds" }),
      unmeasuredRow("peers", "no registry"),
    ];
    expect(tableText(rows)).toBe(
      [
        "| what  | measured  | beside      | judged | range       | target   | verdict      |",
        "|-------|-----------|-------------|--------|-------------|----------|--------------|",
        "| reads | 11,500 /s | H 20,000 /s | 0.58 × | 0.55 – 0.60 | ≥ 0.55 × | met          |",
        "| idle  | 120 MB    |             | 120 MB |             | ≤ 95 MB  | **missed**   |",
        "| peers |           |             |        |             |          | not measured |",
        "",
        "- idle: after two seconds",
        "- peers: no registry",
      ].join("\n"),
    );
  });
});
