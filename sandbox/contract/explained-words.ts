/** What nothing that is known explains. */
export const UNEXPLAINED = "nothing in policies, version or faults explains it";

/** With it begins what may explain a difference: that a recording could not take over everything as it was. */
export const PERHAPS = "perhaps it comes of what could not be taken over: ";

/** With it begins that a step rests on an assumption which the world can decide otherwise. */
export const RESTS_ON = "assumption ";

/** What explains a difference, as one line of a report. */
export const explainedLine = (one: string): string => {
  if (one === UNEXPLAINED || one.startsWith(PERHAPS)) return one;
  return one.startsWith(RESTS_ON) ? `rests on ${one}` : `explained by ${one}`;
};
