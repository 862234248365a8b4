import { escapeHtml } from "../../../sandbox/contract/escape-html.ts";
import { type Block, CODE } from "./ticket.ts";

const prose = (text: string): string =>
  text
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? escapeHtml(part) : `<code>${escapeHtml(part)}</code>`))
    .join("");

const block = (one: Block): string => {
  switch (one.kind) {
    case "title":
      return `<h2>${escapeHtml(one.text)}</h2>`;
    case "heading":
      return `<h3>${escapeHtml(one.text)}</h3>`;
    case "text":
      return `<p>${prose(one.text)}</p>`;
    case "facts":
      return `<dl>${one.rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${prose(value)}</dd>`).join("")}</dl>`;
    case "items":
      return `<ul>${one.items.map((item) => `<li>${prose(item)}</li>`).join("")}</ul>`;
    case "code":
      return `<p class="label">${escapeHtml(one.label)}</p><pre>${escapeHtml(one.text)}</pre>`;
  }
};

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 88ch; margin: 32px auto; padding: 0 16px; font: 14px/20px system-ui, sans-serif; }
h1 { font-size: 20px; } h2 { margin-top: 32px; font-size: 16px; } h3 { font-size: 14px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; } dt { opacity: 0.7; }
dd { margin: 0; overflow-wrap: anywhere; } .label { margin-bottom: 4px; opacity: 0.7; }
pre { margin-top: 0; padding: 8px 12px; border: 1px solid; border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
@page { margin: 16mm; }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; margin: 0; padding: 0; font-size: 11px; line-height: 16px; }
  h2, h3, .label { break-after: avoid; }
}
`;

/** Converts blocks to a self-contained page that runs no scripts and makes no network requests. */
export const pageHtml = (title: string, blocks: readonly Block[]): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${blocks.map(block).join("\n")}
</body>
</html>
`;
