import { describe, expect, it } from "vitest";
import type { PartCondition } from "../../../sandbox/contract/resources/condition.ts";
import { conditionRank, conditionWithin, conditionWords } from "./condition-words.ts";

const used = (
  type: "distance_traveled" | "operation_hours" | "remaining_thickness",
  payload: number,
): PartCondition => ({
  type: "used",
  payload: { type, payload },
});

describe("a condition in words", () => {
  it("explains the contract's grades and measures", () => {
    const gradeB: PartCondition = { type: "used", payload: { type: "panel", payload: "grade_b" } };
    expect(conditionWords(gradeB)).toEqual({
      short: "Used, grade B",
      code: "grade_b",
      meaning: "existing damage smaller than two credit cards",
    });
    expect(conditionWords(used("distance_traveled", 112480)).short).toBe("Used, distance 112,480");
    expect(conditionWords(used("operation_hours", 3400)).short).toBe("Used, 3,400 hours");
    expect(conditionWords(used("remaining_thickness", 6.1)).short).toBe("Used, thickness 6.1");
  });

  it("says “not stated” for null", () => {
    expect(conditionWords(null).short).toBe("Condition not stated");
  });

  it("starts with a lower-case letter inside a sentence", () => {
    expect(conditionWithin({ type: "new", payload: {} })).toBe("new");
    expect(conditionWithin(used("operation_hours", 3400))).toBe("used, 3,400 hours");
  });
});

describe("wear of a part", () => {
  it("ranks new, used and unstated, and used ones by their measure", () => {
    const ordered: ReadonlyArray<PartCondition | null> = [
      { type: "new", payload: {} },
      used("distance_traveled", 10),
      used("distance_traveled", 4_294_967_295),
      null,
    ];
    const wear = ordered.map(conditionRank);
    expect(wear.toSorted((a, b) => a - b)).toEqual(wear);
    expect(conditionRank(used("remaining_thickness", 7))).toBeLessThan(conditionRank(used("remaining_thickness", 3)));
    expect(conditionRank(used("operation_hours", 10))).toBeLessThan(conditionRank(used("operation_hours", 900)));
  });
});
