import { plural } from "../../../lib/formatting.ts";
import type { BasketChoice } from "./use-choice.ts";

/** Why an offer cannot be chosen. */
export const ORDERED_ALREADY = "Its part is ordered already: “Order again” makes it a choice once more";

type Counted = Pick<BasketChoice, "orderedParts"> & { readonly table: { readonly rows: readonly unknown[] } };

/** "All 8 parts are ordered", "1 of 8 parts is ordered". */
export const orderedWords = ({ table, orderedParts }: Counted): string => {
  const all = table.rows.length;
  if (orderedParts < all)
    return `${orderedParts} of ${plural(all, "part")} ${orderedParts === 1 ? "is" : "are"} ordered`;
  return all === 1 ? "The only part is ordered" : `All ${all} parts are ordered`;
};

/** Which of the parts that are there to be chosen for have nothing chosen, in a few words. */
export const missingWords = ({ table, chosen, openPartIds }: BasketChoice): string => {
  const covered = new Set(chosen.flatMap(({ partIds }) => partIds));
  const without = table.rows
    .filter(({ part }) => !covered.has(part.id) && openPartIds.includes(part.id))
    .map(({ part }) => part.description || "a part without description");
  const [first] = without;
  if (first === undefined)
    return openPartIds.length < table.rows.length
      ? "every part not ordered yet has an offer"
      : "every part has an offer";
  return without.length === 1 ? `${first} has none` : `${first} and ${without.length - 1} more have none`;
};
