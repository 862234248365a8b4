/** A text without its case, whatever alphabet its letters are of: what a search compares. In SQL `folded(text)`. */
export const folded = (text: string): string => text.toLowerCase().toUpperCase();
