import type { Correction, Explanation } from "../exchange/explanation.ts";

type Edit = Correction["edits"][number];

export const editLocation = ({ pointer }: Pick<Edit, "pointer">): string => pointer || "the whole body";

/** An edit of a body as text for the caller. @param shownText text that the reader has already seen, to avoid repetition */
export const editText = ({ after, reason, ...at }: Edit, shownText: string): string => {
  const what = after === undefined ? "leave it out" : `send ${JSON.stringify(after)}`;
  return `${editLocation(at)}: ${what}${reason === shownText ? "" : ` (${reason})`}`;
};

/** The valid values of a field, for a caller who sent another; empty when any value fits. */
export const choiceTexts = ({
  suggestions,
  more_suggestions: more,
}: Pick<Explanation, "suggestions" | "more_suggestions">): string[] => [
  ...suggestions.map(({ value, label }) => (label === value ? value : `${value}: ${label}`)),
  ...(more > 0 ? [`and ${more} more`] : []),
];
