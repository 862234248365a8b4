/**
 * What a text is found by in an index: its grams, pieces of one, two, three and five characters, each a word of its own.
 * A text that contains another has all of its grams; the other way round is for whoever asks to check.
 */

const SIZES = [1, 2, 3, 5] as const;
/** Identifiers are looked for by four characters at least: nearly every one of them contains any shorter piece. */
const ID_SIZE = 4;
/** Sets an identifier's grams apart from those of what people write. */
const ID_MARK = "_i";

/** Letters of either case are one, as `LIKE` has it; what is no letter or digit of ASCII is written by its number. */
const codeOf = (unit: number): string => {
  const character = String.fromCharCode(unit);
  return /^[a-z0-9]$/i.test(character) ? character.toLowerCase() : `_${unit.toString(16).padStart(4, "0")}`;
};
const ASCII_CODES = Array.from({ length: 128 }, (_, unit) => codeOf(unit));

const codesOf = (text: string): string[] => {
  const codes: string[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    codes.push(ASCII_CODES[unit] ?? codeOf(unit));
  }
  return codes;
};

const piecesOf = (codes: readonly string[], size: number): string[] => {
  const pieces: string[] = [];
  for (let index = 0; index + size <= codes.length; index += 1) pieces.push(codes.slice(index, index + size).join(""));
  return pieces;
};

/** The grams of a row, as one text of words. @param marks words that tell of what kind the row is */
export const gramsOf = (texts: readonly (string | null)[], id: string, marks: readonly string[]): string => {
  const grams = new Set(marks);
  for (const text of texts) {
    if (!text) continue;
    const codes = codesOf(text);
    for (let index = 0; index < codes.length; index += 1) {
      let gram = "";
      for (let size = 1; size <= 5 && index + size <= codes.length; size += 1) {
        gram += codes[index + size - 1];
        if (size !== 4) grams.add(gram);
      }
    }
  }
  for (const piece of piecesOf(codesOf(id), ID_SIZE)) grams.add(ID_MARK + piece);
  return [...grams].join(" ");
};

/** Whether a text is looked for in identifiers too. */
export const reachesIds = (text: string): boolean => text.length >= ID_SIZE;

/** A word that is never a gram: the rows of one kind share it. */
export const markOf = (name: string, value: string): string => `__${name}_${codesOf(value).join("")}`;

const all = (words: readonly string[]): string => `(${words.map((word) => `"${word}"`).join(" AND ")})`;

/** The last pieces tell numbers apart: two of them are enough, or as many as there are. */
const chosen = (pieces: readonly string[], size: number, thorough: boolean): string[] => {
  const last = pieces.length - 1;
  const steps = thorough ? [0, 1, 2, 3, 4, 5, 6, 7] : [0, 1];
  return [...new Set(steps.map((step) => pieces[Math.max(0, last - step * size)] ?? ""))];
};

/**
 * What a text is searched by: an FTS5 query that finds every row that contains it, and some others.
 *
 * @param text at least one character
 * @param thorough by more of its grams: fewer others, more work
 */
export const gramQuery = (text: string, marks: readonly string[], thorough: boolean): string => {
  const codes = codesOf(text);
  const size = SIZES.findLast((one) => one <= codes.length) ?? 1;
  const anywhere = all(chosen(piecesOf(codes, size), size, thorough));
  const inIds = reachesIds(text)
    ? ` OR ${all(chosen(piecesOf(codes, ID_SIZE), ID_SIZE, thorough).map((piece) => ID_MARK + piece))}`
    : "";
  return [`(${anywhere}${inIds})`, ...marks.map((mark) => `"${mark}"`)].join(" AND ");
};
