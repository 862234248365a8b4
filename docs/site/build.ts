// Builds the documentation site into out/help: the pages, their Markdown, the search index, and llms.txt.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import starlight from "@astrojs/starlight";
import { build } from "astro";
import { passthroughImageService } from "astro/config";
import { allPages, home, sections } from "./all-pages.ts";
import { withoutInlineScripts } from "./inline-scripts.ts";
import { llmsText, markdownTwin, searchParts } from "./other-forms.ts";
import { BASE, type Page, pageHref } from "./page.ts";
import { withTabs } from "./tabs.ts";
import { findDownloads } from "./written-pages.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const STAGE = path.join(ROOT, "out/help-pages");
const OUT = path.join(ROOT, "out/help");

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

/** The page for unknown addresses, in no list of pages. */
const missingPage: Page = {
  slug: "404",
  title: "Page not found",
  description: "No page of the help has this address.",
  body: `No page of the help has this address. Search for what you need (Ctrl/Cmd K), or [start at the first page](${BASE}/).`,
};

const source = ({ title, description, slug }: Page, body: string): string => {
  const href = `${pageHref(slug)}index.md`;
  const head =
    slug === missingPage.slug ? [] : [{ tag: "link", attrs: { rel: "alternate", type: "text/markdown", href } }];
  return `---\n${JSON.stringify({ title, description, head })}\n---\n\n${body}\n`;
};

/** Writes the files that Astro turns into pages. */
const stagePages = (): void => {
  rmSync(STAGE, { recursive: true, force: true });
  for (const page of [...allPages, missingPage]) {
    const tabbed = withTabs(page.body);
    const name = tabbed === null ? "index.md" : "index.mdx";
    write(path.join(STAGE, "pages", page.slug || ".", name), source(page, tabbed ?? page.body));
  }
};

const buildPages = (): Promise<void> =>
  build({
    configFile: false,
    root: STAGE,
    srcDir: path.join(import.meta.dirname, "src"),
    outDir: OUT,
    // The cache doesn't depend on the pages' layout.
    cacheDir: path.join(STAGE, "cache"),
    base: BASE,
    trailingSlash: "always",
    // The pages' content policy forbids prefetching.
    prefetch: false,
    image: { service: passthroughImageService() },
    logLevel: "error",
    vite: { build: { assetsInlineLimit: 0 } },
    integrations: [
      starlight({
        title: "Integrations Explorer",
        logo: { src: path.join(ROOT, "build/icon.svg"), alt: "" },
        // Its search needs WebAssembly, which the service's content policy forbids.
        pagefind: false,
        // Otherwise, each scrollable block would be a landmark with the same name.
        expressiveCode: {
          defaultProps: { wrap: true, frame: "none" },
          useStarlightUiThemeColors: false,
          styleOverrides: {
            codeFontFamily: "var(--mono)",
            codeFontSize: "12px",
            codeLineHeight: "18px",
            codeBackground: "var(--sunken)",
            borderColor: "var(--line)",
            borderRadius: "var(--r3)",
          },
        },
        customCss: [path.join(import.meta.dirname, "src/help.css")],
        components: {
          Search: path.join(import.meta.dirname, "src/components/Search.astro"),
          EditLink: path.join(import.meta.dirname, "src/components/EditLink.astro"),
        },
        sidebar: sections.map(({ title, pages, collapsed = false }) => ({
          label: title,
          collapsed,
          items: pages.map((page) => ({ label: page.title, link: `/${page.slug}/` })),
        })),
      }),
    ],
  });

/** Writes everything besides the pages. */
const addOtherForms = (): void => {
  for (const page of allPages) write(path.join(OUT, page.slug, "index.md"), markdownTwin(page));
  write(path.join(OUT, "llms.txt"), llmsText(home, sections));
  write(path.join(OUT, "search.json"), JSON.stringify(allPages.flatMap(searchParts)));
  for (const name of new Set(allPages.flatMap(({ body }) => findDownloads(body))))
    cpSync(path.join(ROOT, "docs", name), path.join(OUT, "files", name));
};

/** Copies the icon, and the pictures of `e2e/guide-pictures.ts`. */
const addPictures = (): void => {
  cpSync(path.join(ROOT, "build/icon.svg"), path.join(OUT, "favicon.svg"));
  cpSync(path.join(ROOT, "docs/pictures"), path.join(OUT, "pictures"), {
    recursive: true,
    filter: (file) => !file.endsWith("path.webp"),
  });
};

/** Shows a picture in the page's theme: each was taken in both. */
const showBothThemes = (html: string): string =>
  html.replaceAll(/<img ([^>]*)src="([^"]+)-light\.webp"([^>]*)>/g, (_, before, file, after) =>
    ["light", "dark"]
      .map((theme) => {
        const other = theme === "light" ? "dark" : "light";
        return `<img class="${other}:sl-hidden" loading="lazy" ${before}src="${file}-${theme}.webp"${after}>`;
      })
      .join(""),
  );

/** Removes empty table headings, which a screen reader would announce. */
const withoutEmptyHeadings = (html: string): string =>
  html.replaceAll(/<thead>\s*<tr>(\s*<th><\/th>)+\s*<\/tr>\s*<\/thead>/g, "").replaceAll("<th></th>", "<td></td>");

process.env.ASTRO_TELEMETRY_DISABLED = "1";
// A test runner's own BASE_URL would replace this site's.
delete process.env.BASE_URL;
stagePages();
rmSync(OUT, { recursive: true, force: true });
await buildPages();
for (const name of globSync("**/*.html", { cwd: OUT })) {
  const file = path.join(OUT, name);
  const { html, scripts } = withoutInlineScripts(showBothThemes(withoutEmptyHeadings(readFileSync(file, "utf8"))));
  writeFileSync(file, html);
  for (const [script, code] of scripts) write(path.join(OUT, script), code);
}
addOtherForms();
addPictures();
rmSync(STAGE, { recursive: true, force: true });
