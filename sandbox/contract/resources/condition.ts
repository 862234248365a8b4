import type { Static } from "typebox";
import * as Type from "typebox";
import { OneOf, U32 } from "../schema.ts";

/** What each panel grade means, in the contract's words. */
export const panelGrades = {
  grade0: "like new",
  grade_a: "existing damage smaller than a credit card",
  grade_b: "existing damage smaller than two credit cards",
  grade_c: "existing damage larger than two credit cards",
} as const;

export type PanelGrade = keyof typeof panelGrades;

const gradesInWords = Object.entries(panelGrades)
  .map(([grade, meaning]) => `${grade}, ${meaning}`)
  .join("; ");

const graded = <const T extends string, P extends Type.TSchema>(type: T, payload: P) =>
  Type.Object({ type: Type.Literal(type), payload });

/** Contract, "PartCondition": used grade. */
export const UsedGrade = Type.Union([
  graded("panel", OneOf(Object.keys(panelGrades) as PanelGrade[], `Grade of a body panel: ${gradesInWords}`)),
  graded("distance_traveled", U32("Age measured by distance traveled")),
  graded("operation_hours", U32("Age measured by operation hours")),
  graded("remaining_thickness", Type.Number({ description: "Age measured by remaining thickness" })),
]);
export type UsedGrade = Static<typeof UsedGrade>;

/** Contract, "PartCondition". */
export const PartCondition = Type.Union([graded("new", Type.Object({})), graded("used", UsedGrade)]);
export type PartCondition = Static<typeof PartCondition>;
