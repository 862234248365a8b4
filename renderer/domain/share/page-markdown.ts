import { type Block, CODE } from "./ticket.ts";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", "@": "&#64;" };

/** What Markdown reads as markup, or as a link, wherever it stands; an ampersand, a dot or an underscore in a name is none. */
const MARKUP =
  /&(?=#?\w+;)|<(?=[a-z/!?])|@(?=\w)|#(?=\d)|\\(?=[^\p{L}\p{N}\s]|$)|[`*[\]~$]|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])|:(?=\/\/)|(?<=www)\./giu;

const escaped = (text: string): string =>
  text.replaceAll(MARKUP, (found) => entities[found] ?? found.replaceAll(/./g, "\\$&"));

/** Text of which nothing is markup but what it sets as code, nor a link, or a mention that notifies somebody; in one line. */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .trim()
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `\`${part}\``))
    .join("");

/** The same where a line begins: it begins no list, quotation, heading or rule. */
const line = (text: string): string =>
  plain(text).replace(/^(\d*)(>|#+(?= |$)|[-+](?=[ -]|$)|(?<=\d)[.)](?= |$))/, "$1\\$2");

/** A fence longer than any in the text: nothing in it ends the block. */
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

/** Blocks as Markdown: nothing that a partner or receiver sent is markup in it. */
export const pageMarkdown = (blocks: readonly Block[]): string => `${blocks.map(block).join("\n\n")}\n`;
