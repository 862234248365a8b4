import type { Difference } from "../../../lib/diff.ts";
import { plural } from "../../../lib/formatting.ts";
import { lastStep } from "./values.tsx";

/** A value in a few words, for "was …" beside what it is now. */
export const fieldWords = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
};

/** The nulls it fills in, as a sentence's object: "deliver_before, condition of 2 items"; null when there are none. */
export const fillsIn = (predictions: readonly Difference[]): string | null => {
  const names = predictions
    .filter(({ path }) => path !== "status" && path !== "updated_at")
    .map(({ path }) => lastStep(path));
  const counted = [...new Set(names)].map((name) => {
    if (name === "deliver_before") return name;
    return `${name} of ${plural(names.filter((other) => other === name).length, "item")}`;
  });
  return counted.length > 0 ? counted.join(", ") : null;
};
