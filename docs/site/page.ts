/** A page of the documentation site. */
export interface Page {
  /** Its address below `/help/`, without slashes at the ends; empty: the first page. */
  readonly slug: string;
  readonly title: string;
  /** One sentence, for lists of pages. */
  readonly description: string;
  /** Markdown, without the title. Links lead to addresses of the site. */
  readonly body: string;
}

/** Pages that stand together in the list of all pages. */
export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
  /** Many of a kind: the list shows them when it is opened. */
  readonly collapsed?: true;
}

/** Where the service serves the site. */
export const BASE = "/help";

/** The address of a page. */
export const pageHref = (slug: string): string => (slug === "" ? `${BASE}/` : `${BASE}/${slug}/`);

/** Files that pages link to and readers download. */
export const fileHref = (name: string): string => `${BASE}/files/${name}`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** A table in Markdown; empty where there is no row. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
};

/** A block of code in Markdown. */
export const fence = (language: string, code: string): string => `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

/** Parts of a page, one below the other; empty ones are left out. */
export const stacked = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
