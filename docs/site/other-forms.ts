import { headings } from "./headings.ts";
import { type Page, pageHref, type Section } from "./page.ts";

/** A page as Markdown, for programs and for copying. */
export const markdownTwin = ({ title, body }: Page): string => `# ${title}\n\n${body}\n`;

/** The list of all pages for language models (llmstxt.org). */
export const llmsText = (home: Page, sections: readonly Section[]): string => {
  const line = ({ title, slug, description }: Page): string =>
    `- [${title}](${pageHref(slug)}index.md): ${description}`;
  const parts = sections.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join("\n")}\n`);
  return [`# ${home.title}\n`, `> ${home.description}\n`, ...parts].join("\n");
};

/** A search result: the part of a page below one heading. */
interface SearchPart {
  /** Its address. */
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/^```\w*$|^\|[\s|:-]+\|$|^- /gm, "")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]+>|\*\*|[`|]|^#+ /gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

export const searchParts = ({ title, slug, description, body }: Page): SearchPart[] => {
  const parts = headings(body);
  const [first = ""] = body.split(/^#{2,3} /m);
  const top = { id: pageHref(slug), page: title, heading: title, text: plain(first) || description };
  const below = parts.map(({ id, text, content }) => ({
    id: `${pageHref(slug)}#${id}`,
    page: title,
    heading: plain(text),
    text: plain(content),
  }));
  // A heading directly followed by subheadings has no text of its own.
  return [top, ...below.filter(({ text }) => text !== "")];
};
