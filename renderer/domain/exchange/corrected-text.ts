import { differences } from "../../lib/diff.ts";
import { laidOut, pathIn, withValue, writtenIn } from "../../lib/json-text.ts";
import { NumberText, parsedJson } from "../../lib/parsed-json.ts";
import type { Correction } from "./explanation.ts";

/**
 * The text of a body with its correction: what is not edited stays as it was written, numbers above all. A value under
 * another name keeps its text too.
 */
export const correctedText = (text: string, { body, edits }: Correction): string => {
  const proposed = JSON.stringify(body, null, 2);
  const sent = parsedJson(text);
  if (sent === undefined || edits.some(({ pointer }) => pointer === "")) return proposed;
  const writtenAt = writtenIn(text);
  /** As it was written under the name that it is taken from. */
  const moved = (after: unknown): NumberText | undefined => {
    const from = edits.find((one) => one.after === undefined && differences(one.before, after).length === 0);
    const written = from && writtenAt(pathIn(sent, from.pointer));
    return written === undefined ? undefined : new NumberText(written);
  };
  const corrected = edits.reduce((now, { pointer, after }) => {
    const value = after === undefined ? undefined : (moved(after) ?? after);
    return withValue(now, pathIn(parsedJson(now), pointer), value);
  }, text);
  // A field that stands there twice, or another reading of the edits: what was proposed counts.
  return differences(parsedJson(corrected), body).length === 0 ? laidOut(corrected) : proposed;
};
