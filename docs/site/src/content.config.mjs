import { defineCollection } from "astro:content";
import { docsSchema } from "@astrojs/starlight/schema";
import { glob } from "astro/loaders";

/** The pages are written by `docs/site/build.ts` before they are built; a page's address is its file's, dots and all. */
const docs = defineCollection({
  loader: glob({
    base: "pages",
    pattern: "**/*.{md,mdx}",
    generateId: ({ entry }) => entry.replace(/\/?index\.mdx?$/, "") || "index",
  }),
  schema: docsSchema(),
});

export const collections = { docs };
