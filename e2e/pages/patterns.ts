import { type Cause, causeSentence, causes } from "../../sandbox/contract/causes.ts";

/** Escapes text for a regular expression. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Matches the beginning, so that a count, a price or a key hint after it doesn't matter. */
export const beginsWith = (text: string): RegExp => new RegExp(`^${escaped(text)}`);

/** A cause's sentence as the explorer shows it, without its end, which may say more. */
export const causeText = (cause: Cause): string =>
  causeSentence(causes[cause], null).replaceAll("`", "").replace(/\.$/, "");
