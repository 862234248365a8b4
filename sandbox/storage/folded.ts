/** A text without its case: what a search compares, as its index does. In SQL `folded(text)`. */
export const folded = (text: string): string => text.toLowerCase();

/** A text as it is searched for: as it was typed and, where it may be a plate, without the blanks and hyphens of one. */
export const spellings = (text: string): string[] => {
  const plate = text.replace(/[\s-]+/g, "");
  const isOne = plate !== text && /^(?=.*\p{L})(?=.*\d)[\p{L}\d]{2,10}$/u.test(plate);
  return isOne ? [text, plate] : [text];
};
