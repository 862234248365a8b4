import type { Difference } from "../../../lib/diff.ts";
import { plural } from "../../../lib/formatting.ts";
import { lastStep } from "./values.tsx";

/** A value in a few words, for "was …". */
export const orderValueText = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
};

/** Fields that a confirmation fills in, for a sentence: "deliver_before, condition of 2 items"; null for none. */
export const filledFields = (predictions: readonly Difference[]): string | null => {
  const names = predictions
    .filter(({ path }) => path !== "status" && path !== "updated_at")
    .map(({ path }) => lastStep(path));
  const counted = [...new Set(names)].map((name) => {
    if (name === "deliver_before") return name;
    return `${name} of ${plural(names.filter((other) => other === name).length, "item")}`;
  });
  return counted.length > 0 ? counted.join(", ") : null;
};
