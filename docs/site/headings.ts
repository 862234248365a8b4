/** A heading of a page and the text up to the next. */
interface Heading {
  /** The anchor of the heading on the site. */
  readonly id: string;
  readonly text: string;
  readonly content: string;
}

const FENCE = /^```/;

/** Derives an anchor from a heading's text. */
export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** Returns the headings of Markdown; lines in code blocks don't count. */
export const headings = (markdown: string): readonly Heading[] => {
  const found: { id: string; text: string; content: string }[] = [];
  const seen = new Map<string, number>();
  let inCode = false;
  for (const line of markdown.split("\n")) {
    if (FENCE.test(line)) inCode = !inCode;
    const text = inCode ? undefined : /^#{2,6} (.+)$/.exec(line)?.[1];
    const last = found.at(-1);
    if (text === undefined) {
      if (last) last.content += `${line}\n`;
      continue;
    }
    const plain = headingId(text);
    const times = seen.get(plain) ?? 0;
    seen.set(plain, times + 1);
    found.push({ id: times === 0 ? plain : `${plain}-${times}`, text, content: "" });
  }
  return found;
};
