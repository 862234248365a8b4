import { defineCollection } from "astro:content";
import { docsSchema } from "@astrojs/starlight/schema";
import { glob } from "astro/loaders";

/** `docs/site/build.ts` writes the pages before the build. A page's address is its file's, including dots. */
const docs = defineCollection({
  loader: glob({
    base: "pages",
    pattern: "**/*.{md,mdx}",
    generateId: ({ entry }) => entry.replace(/\/?index\.mdx?$/, "") || "index",
  }),
  schema: docsSchema(),
});

export const collections = { docs };
