import type { Difference } from "../../../lib/diff.ts";

export const lastStep = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** The nulls it fills in, as a sentence's object: "deliver_before, condition of 2 items"; null when there are none. */
export const fillsIn = (predictions: readonly Difference[]): string | null => {
  const names = predictions
    .filter(({ path }) => path !== "status" && path !== "updated_at")
    .map(({ path }) => lastStep(path));
  const counted = [...new Set(names)].map((name) => {
    if (name === "deliver_before") return name;
    const count = names.filter((other) => other === name).length;
    return `${name} of ${count} ${count === 1 ? "item" : "items"}`;
  });
  return counted.length > 0 ? counted.join(", ") : null;
};

/** What is predicted under an item: the names of its fields that will be filled. */
export const filledUnder = (predictions: readonly Difference[], path: string): string[] =>
  predictions
    .filter((prediction) => prediction.path.startsWith(`${path}.`))
    .map((prediction) => lastStep(prediction.path));
