/** A page of the documentation site. */
export interface Page {
  /** Address below `/help/`, without leading and trailing slashes; empty: the first page. */
  readonly slug: string;
  readonly title: string;
  /** One sentence, for lists of pages. */
  readonly description: string;
  /** Markdown without the title. Links use the site's addresses. */
  readonly body: string;
}

/** A group in the list of all pages. */
export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
  /** Collapsed by default, for groups with many pages. */
  readonly collapsed?: true;
}

/** Path of the site on the service. */
export const BASE = "/help";

export const pageHref = (slug: string): string => (slug === "" ? `${BASE}/` : `${BASE}/${slug}/`);

/** Files for download, linked from pages. */
export const fileHref = (name: string): string => `${BASE}/files/${name}`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** A Markdown table; empty without rows. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
};

export const fence = (language: string, code: string): string => `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

/** Joins the non-empty parts of a page. */
export const stacked = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
