import type { Correction } from "../explain-queries.ts";

type Edit = Correction["edits"][number];

/** Where a call is to be edited, as a person writes it. */
export const placeOf = ({ in: where, pointer }: Pick<Edit, "in" | "pointer">): string =>
  where === "headers" ? pointer.replace(/^\//, "") : pointer || "the whole body";

/**
 * One edit of a call for whoever sent it; of a whole body why, for it follows.
 *
 * @param told what they are told already and need not read again
 */
export const editWords = ({ after, reason, ...at }: Edit, told: string): string => {
  if (at.pointer === "") return `${placeOf(at)}: ${reason}`;
  const what = after === undefined ? "leave it out" : `send ${JSON.stringify(after)}`;
  return `${placeOf(at)}: ${what}${reason === told ? "" : ` (${reason})`}`;
};
