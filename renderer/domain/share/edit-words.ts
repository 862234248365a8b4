import type { Correction, Explanation } from "../exchange/explanation.ts";

type Edit = Correction["edits"][number];

/** Where a body is to be edited, as a person writes it. */
export const editedPlace = ({ pointer }: Pick<Edit, "pointer">): string => pointer || "the whole body";

/** One edit of a body for whoever sent it. @param told what they are told already and need not read again */
export const editWords = ({ after, reason, ...at }: Edit, told: string): string => {
  const what = after === undefined ? "leave it out" : `send ${JSON.stringify(after)}`;
  return `${editedPlace(at)}: ${what}${reason === told ? "" : ` (${reason})`}`;
};

/** The values that fit a field, for whoever sent another; none where there are none. */
export const choiceWords = ({
  suggestions,
  more_suggestions: more,
}: Pick<Explanation, "suggestions" | "more_suggestions">): string[] => [
  ...suggestions.map(({ value, label }) => (label === value ? value : `${value}: ${label}`)),
  ...(more > 0 ? [`and ${more} more`] : []),
];
