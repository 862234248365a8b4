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

/** What a grade of a panel is called, and how worn that is. */
const grades = {
  grade0: { name: "grade 0", wear: 0 },
  grade_a: { name: "grade A", wear: 0.25 },
  grade_b: { name: "grade B", wear: 0.5 },
  grade_c: { name: "grade C", wear: 0.75 },
} as const;

/** The other ways to measure how old a part is. */
const measures = {
  distance_traveled: {
    words: (distance: number) => `distance ${formatCount(distance)}`,
    meaning: "age measured by distance traveled; the contract names no unit",
    wear: (distance: number) => distance / (distance + 100_000),
  },
  operation_hours: {
    words: (hours: number) => `${formatCount(hours)} hours`,
    meaning: "age measured by operation hours",
    wear: (hours: number) => hours / (hours + 3000),
  },
  remaining_thickness: {
    words: (thickness: number) => `thickness ${thickness}`,
    meaning: "age measured by remaining thickness; the contract names no unit",
    wear: (thickness: number) => 1 / (1 + Math.max(0, thickness)),
  },
} as const;

const ofUsed = (used: UsedGrade): ConditionWords => {
  if (used.type === "panel")
    return { short: `Used, ${grades[used.payload].name}`, code: used.payload, meaning: panelGrades[used.payload] };
  const { words, meaning } = measures[used.type];
  return { short: `Used, ${words(used.payload)}`, code: used.type, meaning };
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

/** Where a used part stands between little and much worn, from 0 to below 1. Different measures compare only roughly. */
const wearWithin = (used: UsedGrade): number =>
  used.type === "panel" ? grades[used.payload].wear : measures[used.type].wear(used.payload);

/** How far from new: 0 is new, 1 to 2 is used, 2 is not stated. */
export const wearOf = (condition: PartCondition | null): number => {
  if (condition === null) return 2;
  return condition.type === "new" ? 0 : 1 + wearWithin(condition.payload);
};
