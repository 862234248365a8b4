import { RE2JS } from "re2js";

/** Longer texts match no pattern: what an answer says that anybody checks is shorter. */
const LONGEST_TEXT = 65_536;
/** How many steps a compiled pattern may have: the time for a letter grows with them. */
const LARGEST_PROGRAM = 1_000;

/** A regular expression of a file, compiled; null: it is none, or a too large one. */
const compiled = (pattern: string): RE2JS | null => {
  try {
    const made = RE2JS.compile(pattern);
    return made.programSize() <= LARGEST_PROGRAM ? made : null;
  } catch {
    return null;
  }
};

/** Whether a text is a regular expression that can be matched in linear time: RE2's, without look-around. */
export const isPattern = (pattern: unknown): boolean => typeof pattern === "string" && compiled(pattern) !== null;

/** Whether a regular expression of a file is found in a text; the time for it grows with the text and no faster. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  text.length <= LONGEST_TEXT && compiled(pattern)?.matcher(text).find() === true;
