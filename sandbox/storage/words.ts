import { folded } from "./folded.ts";

/** So much of each text a search looks at: characters, of bytes so many bytes. */
export const SEARCHED_LENGTH = 16_384;

const WORD = /[\p{L}\p{N}]+/gu;

const beginningOf = (value: unknown): string =>
  Buffer.isBuffer(value)
    ? value.subarray(0, SEARCHED_LENGTH).toString("utf8")
    : String(value ?? "").slice(0, SEARCHED_LENGTH);

/** The words of a text without their case, one space between two of them: runs of letters and digits. */
export const wordsIn = (text: string): string => folded(text).match(WORD)?.join(" ") ?? "";

/** The words of some texts, each between spaces. In SQL `words(…)`. */
export const wordsOf = (...values: readonly unknown[]): string => ` ${wordsIn(values.map(beginningOf).join(" "))} `;
