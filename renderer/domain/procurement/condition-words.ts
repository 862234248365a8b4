import type { PartCondition, UsedGrade } from "../../../sandbox/contract/resources/condition.ts";
import { panelGrades } from "../../../sandbox/contract/values.ts";
import { formatCount } from "../../lib/formatting.ts";

interface ConditionWords {
  /** As it stands in a cell: "Used, grade B". */
  readonly short: string;
  /** The contract's own word for it: "grade_b"; null where it has none. */
  readonly code: string | null;
  /** What that means, in the contract's words. */
  readonly meaning: string;
}

const gradeNames = { grade0: "grade 0", grade_a: "grade A", grade_b: "grade B", grade_c: "grade C" } as const;

const ofUsed = (used: UsedGrade): ConditionWords => {
  switch (used.type) {
    case "panel":
      return { short: `Used, ${gradeNames[used.payload]}`, code: used.payload, meaning: panelGrades[used.payload] };
    case "distance_traveled":
      return {
        short: `Used, distance ${formatCount(used.payload)}`,
        code: used.type,
        meaning: "age measured by distance traveled; the contract names no unit",
      };
    case "operation_hours":
      return {
        short: `Used, ${formatCount(used.payload)} hours`,
        code: used.type,
        meaning: "age measured by operation hours",
      };
    case "remaining_thickness":
      return {
        short: `Used, thickness ${used.payload}`,
        code: used.type,
        meaning: "age measured by remaining thickness; the contract names no unit",
      };
  }
};

/** A condition in words; one that is null is told as such, not guessed. */
export const conditionWords = (condition: PartCondition | null): ConditionWords => {
  if (condition === null) {
    return { short: "Condition not stated", code: "null", meaning: "the supplier's offer says nothing about it" };
  }
  if (condition.type === "new") return { short: "New", code: "new", meaning: "a new part" };
  return ofUsed(condition.payload);
};

/** The same within a sentence: "used, grade B". */
export const conditionWithin = (condition: PartCondition | null): string => {
  const { short } = conditionWords(condition);
  return short.charAt(0).toLowerCase() + short.slice(1);
};

const panelWear = { grade0: 0, grade_a: 0.25, grade_b: 0.5, grade_c: 0.75 } as const;

/** Where a used part stands between little and much worn, from 0 to below 1. Different measures compare only roughly. */
const wearWithin = (used: UsedGrade): number => {
  switch (used.type) {
    case "panel":
      return panelWear[used.payload];
    case "distance_traveled":
      return used.payload / (used.payload + 100_000);
    case "operation_hours":
      return used.payload / (used.payload + 3000);
    case "remaining_thickness":
      return 1 / (1 + Math.max(0, used.payload));
  }
};

/** How far from new: 0 is new, 1 to 2 is used, 2 is not stated. */
export const wearOf = (condition: PartCondition | null): number => {
  if (condition === null) return 2;
  return condition.type === "new" ? 0 : 1 + wearWithin(condition.payload);
};
