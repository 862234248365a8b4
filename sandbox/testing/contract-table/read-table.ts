import path from "node:path";

/** A test that a line names as the one that holds it. */
export interface Citation {
  /** From the checkout, with forward slashes. */
  readonly file: string;
  readonly title: string;
}

/** A line of the document's tables. */
export interface Line {
  /** What it is about: the text of its first cell, without backticks. */
  readonly key: string;
  readonly section: string;
  /** Every cell but the first and the last. */
  readonly says: readonly string[];
  readonly citations: readonly Citation[];
  /** Why no test can hold it, when it says so. */
  readonly noTest: string | null;
}

const CITATION = /\[[^\]]+\]\(([^)]+)\) “([^”]+)”/g;
const NO_TEST = /^No test: (.{20,})$/;

const unescaped = (cell: string): string => cell.replaceAll("\\|", "|").trim();

const cellsOf = (row: string): string[] =>
  row
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map(unescaped);

/**
 * The lines of every table of a document, except their heads.
 *
 * @param folder the document's own, from the checkout: what its links start from
 */
export const readTable = (markdown: string, folder: string): Line[] => {
  const lines: Line[] = [];
  let section = "";
  let inBody = false;
  for (const row of markdown.split("\n")) {
    section = /^#+ (.+)$/.exec(row)?.[1] ?? section;
    if (!row.startsWith("|")) inBody = false;
    else if (/^\|[\s|:-]+$/.test(row)) inBody = true;
    else if (inBody) {
      const [first = "", ...cells] = cellsOf(row);
      const held = cells.pop() ?? "";
      const citations = [...held.matchAll(CITATION)].map(([, link = "", title = ""]) => ({
        file: path.posix.join(folder, link),
        title,
      }));
      const key = first.replaceAll("`", "");
      lines.push({ key, section, says: cells, citations, noTest: NO_TEST.exec(held)?.[1] ?? null });
    }
  }
  return lines;
};
