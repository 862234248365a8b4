import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { escapeHtml } from "../contract/escape-html.ts";
import type { Story } from "../contract/story.ts";

/** Makes code safe inside `<script>`. */
const enclosed = (code: string): string => code.replaceAll(/<(?=\/script|!--|script)/gi, "\\x3C");

const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The explorer's story player, built as one script and one style. */
interface Player {
  readonly code: string;
  readonly style: string;
}

/** @param explorerFolder the built explorer; the player is beside it. @returns null when it isn't built */
export const readPlayer = (explorerFolder: string | null): Player | null => {
  if (explorerFolder === null) return null;
  const read = (file: string) => readFileSync(path.join(explorerFolder, "..", "story", file), "utf8");
  try {
    return { code: enclosed(read("player.js")), style: read("player.css") };
  } catch {
    return null;
  }
};

/**
 * D94: returns a story as one HTML file that plays without a network: the player's code, its style and fonts, and the
 * recording. Its policy forbids anything else to run.
 */
export const storyPage = (story: Story, { code, style }: Player): string => {
  const data = JSON.stringify(story).replaceAll("<", "\\u003c");
  const policy = [
    "default-src 'none'",
    `script-src ${hash(code)}`,
    `style-src ${hash(style)}`,
    "font-src data:; img-src data:; base-uri 'none'; form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(story.title)}</title>
<style>${style}</style>
</head>
<body>
<noscript>This page plays a recorded story. It needs JavaScript.</noscript>
<div id="story"></div>
<script type="application/json" id="recorded">${data}</script>
<script>${code}</script>
</body>
</html>
`;
};
