/** Folds case for search, in queries and in the index. Available in SQL as `folded(text)`. */
export const foldCase = (text: string): string => text.toLowerCase();

/** Search variants of a text: as typed, and without blanks and hyphens if it may be a licence plate. */
export const searchVariants = (text: string): string[] => {
  const plate = text.replace(/[\s-]+/g, "");
  const isOne = plate !== text && /^(?=.*\p{L})(?=.*\d)[\p{L}\d]{2,10}$/u.test(plate);
  return isOne ? [text, plate] : [text];
};
