/** A text as it stands, for a pattern. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Begins with these words, so that a count, a price or a key hint after them does not matter. */
export const beginsWith = (text: string): RegExp => new RegExp(`^${escaped(text)}`);
