import type { Static } from "typebox";
import * as Type from "typebox";
import { OneOf, U32 } from "../schema.ts";
import { type PanelGrade, panelGrades } from "../values.ts";

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

/** Contract, "PartCondition". */
export const PartCondition = Type.Union([graded("new", Type.Object({})), graded("used", UsedGrade)]);
export type PartCondition = Static<typeof PartCondition>;
