import { assumptionsPage } from "./assumptions-page.ts";
import { commandPage } from "./command-page.ts";
import { decisionsPage } from "./decisions-page.ts";
import { demoValuesPage } from "./demo-values-page.ts";
import { errorPages } from "./error-pages.ts";
import { extensionPages, operationPages } from "./operation-pages.ts";
import type { Page, Section } from "./page.ts";
import { sources, writtenPage } from "./written-pages.ts";

/** The page at `/help/`. */
export const home: Page = writtenPage(sources.home);

const written = (...names: readonly (keyof typeof sources)[]): Page[] =>
  names.map((name) => writtenPage(sources[name]));

/** All other pages in reading order. */
export const sections: readonly Section[] = [
  { title: "Start", pages: written("start", "firstOrder", "concepts") },
  {
    title: "Call the API",
    pages: written("authentication", "lists", "clients", "install", "versions"),
  },
  { title: "Webhooks", pages: written("receive", "verify", "receiver") },
  {
    title: "Test and reproduce",
    pages: written(
      "testValues",
      "faults",
      "package",
      "ci",
      "languages",
      "containers",
      "scenarios",
      "reproduce",
      "assistants",
    ),
  },
  { title: "Run for others", pages: written("share", "deploy", "backup", "cluster") },
  {
    title: "Reference",
    pages: [
      ...written("explorer"),
      commandPage,
      demoValuesPage,
      ...written("troubleshooting"),
      assumptionsPage,
      decisionsPage,
      ...written("changelog"),
    ],
  },
  { title: "Operations", pages: operationPages, collapsed: true },
  { title: "Extensions", pages: extensionPages, collapsed: true },
  { title: "Error codes", pages: errorPages, collapsed: true },
];

export const allPages: readonly Page[] = [home, ...sections.flatMap(({ pages }) => pages)];
