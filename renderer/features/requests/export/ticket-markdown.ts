import { type Block, CODE } from "./ticket.ts";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", "@": "&#64;" };

const escaped = (text: string): string =>
  text.replaceAll(/[&<@\\`*_[\]|~$#]/g, (found) => entities[found] ?? `\\${found}`);

/** Text of which nothing is markup but what it sets as code, nor a link, or a mention that notifies somebody; in one line. */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .trim()
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `\`${part}\``))
    .join("")
    // What would begin a list or a quotation.
    .replace(/^(?:([-+>=])|(\d+)([.)]))/, (_all, mark?: string, number?: string, end?: string) =>
      mark === undefined ? `${number}\\${end}` : `\\${mark}`,
    );

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
      return plain(one.text);
    case "facts":
      return one.rows.map(([name, value]) => `- **${plain(name)}**: ${plain(value)}`).join("\n");
    case "items":
      return one.items.map((item) => `- ${plain(item)}`).join("\n");
    case "code":
      return `${plain(one.label)}\n\n${fenced(one.text)}`;
  }
};

/** A ticket as Markdown: nothing that a partner or receiver sent is markup in it. */
export const ticketMarkdown = (blocks: readonly Block[]): string => `${blocks.map(block).join("\n\n")}\n`;
