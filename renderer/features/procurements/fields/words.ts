import type { PartCondition } from "../../../../sandbox/contract/resources/condition.ts";
import type { Address } from "../../../../sandbox/contract/resources/procurement.ts";
import { panelGrades } from "../../../../sandbox/contract/values.ts";
import { formatCount } from "../../../lib/formatting.ts";

/** A condition as people say it, and what the contract says its grade means. */
export interface ConditionWords {
  readonly short: string;
  readonly meaning: string;
}

/** `{type: "used", payload: {type: "panel", payload: "grade_b"}}` → "used, grade B" and the grade's meaning. */
export const conditionWords = (condition: PartCondition): ConditionWords => {
  if (condition.type === "new") return { short: "new", meaning: "" };
  const grade = condition.payload;
  switch (grade.type) {
    case "panel": {
      const letter = grade.payload.replace(/^grade_?/, "").toUpperCase();
      return { short: `used, grade ${letter}`, meaning: panelGrades[grade.payload] };
    }
    case "distance_traveled":
      return {
        short: `used, ${formatCount(grade.payload)} distance traveled`,
        meaning: "age measured by distance traveled",
      };
    case "operation_hours":
      return {
        short: `used, ${formatCount(grade.payload)} operation hours`,
        meaning: "age measured by operation hours",
      };
    case "remaining_thickness":
      return { short: `used, ${grade.payload} remaining thickness`, meaning: "age measured by remaining thickness" };
  }
};

/** An address in one line, null lines left out. */
export const addressLine = (address: Address): string => {
  const { name, unit, street_number, street_name, suburb, city, state, postcode, country_code } = address;
  const joined = (...parts: readonly (string | null)[]) => parts.filter(Boolean).join(" ");
  return [name, unit, joined(street_number, street_name), suburb, joined(city, state, postcode), country_code]
    .filter(Boolean)
    .join(", ");
};

/** A value in a few words, for "was …" beside what it is now. */
export const wordsOf = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
};
