import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Page, stacked } from "./page.ts";

const FOLDER = path.join(import.meta.dirname, "../decisions");

const decisionId = (name: string): string => `decision-${name.slice(0, 4)}`;

/** One record as a section: headings one level deeper, links to other records on this page. */
const decisionSection = (name: string): string => {
  const [, title = "", text = ""] = /^# (.+)\n([\s\S]*)$/.exec(readFileSync(path.join(FOLDER, name), "utf8")) ?? [];
  const here = text
    .replaceAll(/\]\((\d{4})-[^)]*\)/g, (_, number) => `](#decision-${number})`)
    // Other links lead to files of the checkout, so only their text stays.
    .replaceAll(/\[([^\]]+)\]\((?!#|https?:)[^)]+\)/g, "$1")
    .replaceAll(/^(#+ )/gm, "#$1");
  return stacked(`<a id="${decisionId(name)}"></a>`, `## ${title}`, here.trim());
};

/** The architecture decisions, newest last. */
export const decisionsPage: Page = {
  slug: "explanation/design-decisions",
  title: "Design decisions",
  description: "Why the sandbox and the explorer are built as they are.",
  body: stacked(
    "Each record has the decision, its reason and its cost. A newer record can replace an older one; it says so.",
    ...readdirSync(FOLDER)
      .filter((name) => /^\d{4}-.*\.md$/.test(name))
      .toSorted()
      .map(decisionSection),
  ),
};
