import type { PartCondition } from "../../../sandbox/contract/resources/condition.ts";
import { panelGrades } from "../../../sandbox/contract/values.ts";
import { formatCount } from "../../lib/formatting.ts";

/** Labels and meanings of panel grades. */
const grades = {
  grade0: { name: "grade 0", wear: 0 },
  grade_a: { name: "grade A", wear: 0.25 },
  grade_b: { name: "grade B", wear: 0.5 },
  grade_c: { name: "grade C", wear: 0.75 },
} as const;

/** Other measures of wear. */
const measures = {
  distance_traveled: {
    words: (distance: number) => `distance ${formatCount(distance)}`,
    meaning: "age measured by distance travelled (the contract defines no unit)",
    wear: (distance: number) => distance / (distance + 100_000),
  },
  operation_hours: {
    words: (hours: number) => `${formatCount(hours)} hours`,
    meaning: "age measured by operation hours",
    wear: (hours: number) => hours / (hours + 3000),
  },
  remaining_thickness: {
    words: (thickness: number) => `thickness ${thickness}`,
    meaning: "age measured by remaining thickness (the contract defines no unit)",
    wear: (thickness: number) => 1 / (1 + Math.max(0, thickness)),
  },
} as const;

/**
 * A condition as a cell ("Used, grade B"), the contract's term ("grade_b"), and its meaning. Null is shown as not
 * stated.
 */
export const conditionWords = (condition: PartCondition | null) => {
  if (condition === null) return { short: "Condition not stated", code: "null", meaning: "the offer has no condition" };
  if (condition.type === "new") return { short: "New", code: "new", meaning: "a new part" };
  const used = condition.payload;
  if (used.type === "panel")
    return { short: `Used, ${grades[used.payload].name}`, code: used.payload, meaning: panelGrades[used.payload] };
  const { words, meaning } = measures[used.type];
  return { short: `Used, ${words(used.payload)}`, code: used.type, meaning };
};

/** A condition within a sentence: "used, grade B". */
export const conditionWithin = (condition: PartCondition | null): string => {
  const { short } = conditionWords(condition);
  return short.charAt(0).toLowerCase() + short.slice(1);
};

/** Rank by wear: 0 is new, 1 to below 2 is used, 2 is not stated. Different measures of wear compare only roughly. */
export const conditionRank = (condition: PartCondition | null): number => {
  if (condition === null) return 2;
  if (condition.type === "new") return 0;
  const { type, payload } = condition.payload;
  return 1 + (type === "panel" ? grades[payload].wear : measures[type].wear(payload));
};
