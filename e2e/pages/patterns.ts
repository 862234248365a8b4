/** Escapes text for a regular expression. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Matches the beginning, so that a count, a price or a key hint after it doesn't matter. */
export const beginsWith = (text: string): RegExp => new RegExp(`^${escaped(text)}`);
