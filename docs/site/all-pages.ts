import { assumptionsPage } from "./assumptions-page.ts";
import { commandPage } from "./command-page.ts";
import { decisionsPage } from "./decisions-page.ts";
import { demoValuesPage } from "./demo-values-page.ts";
import { errorPages } from "./error-pages.ts";
import { extensionPages, operationPages } from "./operation-pages.ts";
import type { Page, Section } from "./page.ts";
import { sources, writtenPage } from "./written-pages.ts";

/** The page that `/help/` shows. */
export const home: Page = writtenPage(sources.home);

/** All others, in the order a reader meets them. */
export const sections: readonly Section[] = [
  { title: "Tutorial", pages: [writtenPage(sources.firstOrder)] },
  {
    title: "How-to guides",
    pages: (
      [
        "start",
        "authentication",
        "lists",
        "clients",
        "testValues",
        "install",
        "receive",
        "verify",
        "consumer",
        "reproduce",
        "ci",
        "containers",
        "deploy",
        "cluster",
        "troubleshooting",
        "assistants",
      ] as const
    ).map((name) => writtenPage(sources[name])),
  },
  {
    title: "Reference",
    pages: [
      writtenPage(sources.explorer),
      commandPage,
      demoValuesPage,
      writtenPage(sources.package),
      writtenPage(sources.scenarios),
    ],
  },
  { title: "Operations", pages: operationPages, collapsed: true },
  { title: "Extensions", pages: extensionPages, collapsed: true },
  { title: "Error codes", pages: errorPages, collapsed: true },
  { title: "Explanation", pages: [writtenPage(sources.concepts), assumptionsPage, decisionsPage] },
];

export const allPages: readonly Page[] = [home, ...sections.flatMap(({ pages }) => pages)];
