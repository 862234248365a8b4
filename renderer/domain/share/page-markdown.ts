import { type Block, CODE } from "./ticket.ts";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", "@": "&#64;" };

/**
 * Characters that Markdown reads as markup or a link anywhere; an ampersand, a dot or an underscore within a name is
 * not.
 */
const MARKUP =
  /&(?=#?\w+;)|<(?=[a-z/!?])|@(?=\w)|#(?=\d)|\\(?=[^\p{L}\p{N}\s]|$)|[`*[\]~$]|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])|:(?=\/\/)|(?<=www)\./giu;

const escaped = (text: string): string =>
  text.replaceAll(MARKUP, (found) => entities[found] ?? found.replaceAll(/./g, "\\$&"));

/** Escapes text except its inline code: no markup, no links, no mentions that notify people; on one line. */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .trim()
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `\`${part}\``))
    .join("");

/** Also escapes the start of a line: lists, quotations, headings and rules. */
const line = (text: string): string =>
  plain(text).replace(/^(\d*)(>|#+(?= |$)|[-+](?=[ -]|$)|(?<=\d)[.)](?= |$))/, "$1\\$2");

/** A fence that is longer than any in the text, so that the text cannot close it. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
};

const block = (one: Block): string => {
  switch (one.kind) {
    case "title":
      return `## ${plain(one.text)}`;
    case "heading":
      return `### ${plain(one.text)}`;
    case "text":
      return line(one.text);
    case "facts":
      return one.rows.map(([name, value]) => `- **${plain(name)}**: ${plain(value)}`).join("\n");
    case "items":
      return one.items.map((item) => `- ${line(item)}`).join("\n");
    case "code":
      return `${plain(one.label)}\n\n${fenced(one.text)}`;
  }
};

/** Converts blocks to Markdown. Text of partners and receivers is escaped. */
export const pageMarkdown = (blocks: readonly Block[]): string => `${blocks.map(block).join("\n\n")}\n`;
