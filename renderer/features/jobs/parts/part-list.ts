import type { PartInsert } from "../../../../sandbox/contract/resources/job.ts";

/** Limit on the parts of a call (D38). */
export const MAX_PARTS = 500;

/** A parsed line of a list. */
export interface PartLine {
  /** Counted from 1, as displayed. */
  readonly line: number;
  readonly description: string;
  /** As written; null when missing. */
  readonly quantity: number | null;
  readonly note: string | null;
  /** The reason for a refusal; null when valid. */
  readonly problem: string | null;
  /** A note that doesn't prevent sending. */
  readonly remark: string | null;
}

export const quantityProblem = (quantity: number): string | null => {
  if (!Number.isInteger(quantity)) return `${quantity} isn’t a whole number. Use 0 to 255`;
  if (quantity < 0) return `${quantity} is below 0. Use 0 to 255`;
  return quantity > 255 ? `${quantity} is above 255. Use 0 to 255` : null;
};

const remarkOn = (description: string, quantity: number | null): string | null => {
  if (description === "") return "No description. It will be empty";
  return quantity === 0 ? "Quantity 0 gets no offers" : null;
};

const NUMBER = "[-+]?\\d+(?:[.,]\\d+)?";
const COUNTED = new RegExp(`^(${NUMBER})\\s*[x×*](?:\\s+(.*))?$`, "i");
const parseQuantity = (text: string): number => Number(text.replace(",", "."));

interface ParsedLine {
  readonly quantity: number | null;
  readonly description: string;
  readonly note: string | null;
}

const BARE = new RegExp(`^${NUMBER}$`);

/** Index of the quantity: a bare number in the first, second or last cell; -1 for none. */
const quantityCell = (cells: readonly string[]): number =>
  [0, 1, cells.length - 1].find((place) => BARE.test(cells[place] ?? "")) ?? -1;

/** Cells of a spreadsheet: description, quantity, note; or the quantity first, last or missing. */
const parseCells = (cells: readonly string[]): ParsedLine => {
  const place = quantityCell(cells);
  const [description = "", ...notes] = cells.filter((_cell, index) => index !== place);
  return {
    quantity: place < 0 ? null : parseQuantity(cells[place] ?? ""),
    description,
    note: notes.filter(Boolean).join("; ") || null,
  };
};

/** "2 x Bonnet; the note". */
const parseText = (text: string): ParsedLine => {
  const [head = "", ...tail] = text.split(";");
  const match = COUNTED.exec(head.trim());
  return {
    quantity: match?.[1] === undefined ? null : parseQuantity(match[1]),
    description: (match ? (match[2] ?? "") : head).trim(),
    note: tail.join(";").trim() || null,
  };
};

/**
 * Parses a list with one part per line: `2 x Bonnet`, `Bonnet; note`, or cells of a spreadsheet (description, quantity,
 * note). Skips empty lines and list marks.
 */
export const readPartList = (text: string): PartLine[] =>
  text.split(/\r?\n/).flatMap((raw, index): PartLine[] => {
    const line = raw.replace(/^\s*[-•*–]\s+/, "").trim();
    if (line === "") return [];
    const cells = line.split("\t").map((cell) => cell.trim());
    const words = cells.length > 1 ? parseCells(cells) : parseText(line);
    return [
      {
        line: index + 1,
        ...words,
        problem: words.quantity === null ? null : quantityProblem(words.quantity),
        remark: remarkOn(words.description, words.quantity),
      },
    ];
  });

/** Converts a line for the request, without missing keys. */
export const toPartInsert = ({ description, quantity, note }: PartLine): PartInsert => ({
  description,
  ...(quantity === null ? {} : { quantity }),
  ...(note === null ? {} : { note }),
});
