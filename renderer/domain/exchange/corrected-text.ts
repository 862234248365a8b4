import { differences } from "../../lib/diff.ts";
import { laidOut, pathIn, withValue, writtenIn } from "../../lib/json-text.ts";
import { NumberText, parsedJson } from "../../lib/parsed-json.ts";
import type { Correction } from "./explanation.ts";

/**
 * Applies a correction to a body's text. Unedited parts stay as written, numbers in particular, and so does a renamed
 * field's value.
 */
export const correctedText = (text: string, { body, edits }: Correction): string => {
  const proposed = JSON.stringify(body, null, 2);
  const sent = parsedJson(text);
  if (sent === undefined || edits.some(({ pointer }) => pointer === "")) return proposed;
  const writtenAt = writtenIn(text);
  /** The text of a value that moves to another name. */
  const moved = (after: unknown): NumberText | undefined => {
    const from = edits.find((one) => one.after === undefined && differences(one.before, after).length === 0);
    const written = from && writtenAt(pathIn(sent, from.pointer));
    return written === undefined ? undefined : new NumberText(written);
  };
  const corrected = edits.reduce((now, { pointer, after }) => {
    const value = after === undefined ? undefined : (moved(after) ?? after);
    return withValue(now, pathIn(parsedJson(now), pointer), value);
  }, text);
  // A duplicate key, or an edit that doesn't apply cleanly: falls back to the proposed body.
  return differences(parsedJson(corrected), body).length === 0 ? laidOut(corrected) : proposed;
};
