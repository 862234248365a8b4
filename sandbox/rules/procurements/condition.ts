import type { PartCondition } from "../../contract/resources/condition.ts";
import type { PanelGrade } from "../../contract/values.ts";
import type { CatalogueEntry } from "./catalogue.ts";
import type { Dice } from "./dice.ts";

/** A condition and its share of the new price, in percent. */
interface ConditionValue {
  readonly condition: PartCondition;
  readonly percent: number;
}

/** Dice slots reserved for conditions. */
const KIND = 8;
const AGE = 9;
const MARGIN = 10;
const FINE = 11;

const grades: Readonly<Record<PanelGrade, number>> = { grade0: 60, grade_a: 46, grade_b: 33, grade_c: 20 };

/** Thickness range in tenths of a millimetre in which a wear part can be sold used. */
const sellableThickness = (description: string): readonly [number, number] => {
  if (/disc|rotor|drum/i.test(description)) return [256, 278];
  if (/pad|shoe/i.test(description)) return [52, 108];
  return [31, 73];
};

const percentAt = (left: number, from: number, to: number): number => from + Math.floor((left * (to - from)) / 100);

export const asNew: PartCondition = { type: "new", payload: {} };

/**
 * Condition and value of a used part: panels by grade, machines by distance or hours, wear parts by remaining
 * thickness. Contract, "PartCondition"; distances in kilometres.
 */
export const usedCondition = (entry: CatalogueEntry, dice: Dice): ConditionValue => {
  const margin = dice.between(MARGIN, -3, 3);
  switch (entry.category) {
    case "mechanical":
    case "cooling":
    case "electronic": {
      const left = dice.between(AGE, 0, 100);
      const percent = percentAt(left, 22, 52) + margin;
      const byHours = dice.happens(KIND, entry.category === "electronic" ? 70 : 25);
      const payload = byHours
        ? ({ type: "operation_hours", payload: 340 + (100 - left) * 47 + dice.between(FINE, 0, 46) } as const)
        : ({
            type: "distance_traveled",
            payload: 14_600 + (100 - left) * 1_740 + dice.between(FINE, 0, 173) * 10,
          } as const);
      return { condition: { type: "used", payload }, percent };
    }
    case "wear": {
      const [worn, full] = sellableThickness(entry.description);
      const tenths = dice.between(AGE, worn, full);
      const percent = percentAt(Math.floor(((tenths - worn) * 100) / (full - worn)), 16, 50);
      return { condition: { type: "used", payload: { type: "remaining_thickness", payload: tenths / 10 } }, percent };
    }
    default: {
      const grade = dice.pick<PanelGrade>(KIND, [
        "grade0",
        "grade_a",
        "grade_a",
        "grade_b",
        "grade_b",
        "grade_b",
        "grade_c",
      ]);
      return {
        condition: { type: "used", payload: { type: "panel", payload: grade } },
        percent: grades[grade] + margin,
      };
    }
  }
};
