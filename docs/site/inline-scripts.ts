import { createHash } from "node:crypto";
import { BASE } from "./page.ts";

const INLINE = /<script((?:\s+(?!src=)[\w-]+(?:="[^"]*")?)*)>([\s\S]*?)<\/script>/g;

/**
 * Moves inline scripts to files, because the service allows no others. They keep their order.
 *
 * @returns the page, and its scripts by file name below the site
 */
export const withoutInlineScripts = (page: string): { html: string; scripts: ReadonlyMap<string, string> } => {
  const scripts = new Map<string, string>();
  const html = page.replaceAll(INLINE, (whole, attributes: string, code: string) => {
    if (/type="(?!module)/.test(attributes)) return whole;
    const name = `_astro/inline.${createHash("sha256").update(code).digest("hex").slice(0, 12)}.js`;
    scripts.set(name, code);
    return `<script${attributes} src="${BASE}/${name}"></script>`;
  });
  return { html, scripts };
};
