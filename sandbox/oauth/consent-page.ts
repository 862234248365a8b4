import type { Side } from "../contract/control/rows.ts";
import { escapeHtml } from "../contract/escape-html.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import type { ClientRow } from "../storage/credentials-store.ts";
import type { AuthorizationRequest, Choice } from "./authorization.ts";

/**
 * Style of pages for partners' users: the explorer's design tokens, inlined because the page may load nothing. Uses its
 * fonts only if installed.
 */
const PAGE_STYLE = `
:root { color-scheme: light dark; --canvas: #f9fafb; --surface: #fff; --hover: #eff0f2; --line: #e1e3e5; --line-strong: #cbced1; --line-control: #898d91;
  --text: #15191d; --text-2: #43484e; --text-3: #5e646a; --accent: #006777; --accent-hover: #005563; --accent-tint: #eef7f9; --on-accent: #fff;
  --buyer: #3760d8; --supplier: #bd307d; --bad: #d4302e; --bad-text: #b01f1f; --bad-tint: #fff0ee;
  --font: "Inter Variable", Inter, system-ui, sans-serif;
  --mono: "JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace; }
@media (prefers-color-scheme: dark) { :root { --canvas: #0f1114; --surface: #14171a; --hover: #1e2124; --line: #24272b; --line-strong: #393e43; --line-control: #676c73;
  --text: #e6e8ea; --text-2: #b2b6bb; --text-3: #8f949a; --accent: #56bfd3; --accent-hover: #71d1e5; --accent-tint: #17262a; --on-accent: #051214;
  --buyer: #648cf3; --supplier: #e267a3; --bad: #ed615c; --bad-text: #fd9995; --bad-tint: #2f1c19; } }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; grid-template-rows: 44px 1fr; background: var(--canvas); color: var(--text); font: 13px/20px var(--font);
  font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased; }
.top { display: flex; align-items: center; gap: 8px; padding: 0 16px; border-bottom: 1px solid var(--line); }
.top svg { width: 20px; height: 20px; flex: none; } .top b { font-weight: 500; } .top .r { margin-left: auto; font: 12px/16px var(--font); color: var(--text-3); }
main { width: min(480px, 100% - 32px); margin: auto; padding: 24px 0 48px; }
.card { background: var(--surface); border: 1px solid var(--line-strong); border-radius: 6px; overflow: hidden; }
.intro { padding: 20px 20px 16px; } h1 { font: 600 15px/20px var(--font); margin-bottom: 6px; }
p { color: var(--text-2); } p + p { margin-top: 8px; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin-top: 12px; font: 12px/16px var(--font); }
dt { color: var(--text-3); } dd { color: var(--text-2); }
code { font: 12px/16px var(--mono); overflow-wrap: anywhere; }
fieldset { border: 0; padding: 0; min-width: 0; border-top: 1px solid var(--line); }
legend { float: left; width: 100%; padding: 10px 20px 6px; font: 500 12px/16px var(--font); color: var(--text-3); } legend + * { clear: both; }
label { display: flex; gap: 8px; align-items: center; min-height: 36px; padding: 0 20px; cursor: pointer; }
label:hover { background: var(--hover); }
label:has(:checked) { background: var(--accent-tint); box-shadow: inset 2px 0 0 var(--accent); }
input { accent-color: var(--accent); margin: 0; flex: none; }
label small { margin-left: auto; font: 12px/16px var(--font); color: var(--text-3); white-space: nowrap; } label span { width: 64px; text-align: right; font: 12px/16px var(--mono); color: var(--text-2); }
.glyph { width: 12px; height: 12px; border: 1.5px solid; border-radius: 2px; flex: none; }
.repairer { color: var(--buyer); background: linear-gradient(90deg, currentColor 50%, transparent 50%); }
.supplier { color: var(--supplier); background: linear-gradient(90deg, transparent 50%, currentColor 50%); }
.row { display: flex; gap: 8px; align-items: center; padding: 12px 20px; border-top: 1px solid var(--line); }
.row small { flex: 1; font: 12px/16px var(--font); color: var(--text-3); }
button { height: 28px; padding: 0 12px; border-radius: 4px; border: 1px solid var(--line-strong); background: transparent; color: inherit; font: 500 13px/20px var(--font); cursor: pointer; }
button:hover { background: var(--hover); }
button[value=approve] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button[value=approve]:hover { background: var(--accent-hover); border-color: var(--accent-hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; } label :focus-visible { outline-offset: 2px; }
.bad { padding: 16px 20px; background: var(--bad-tint); box-shadow: inset 2px 0 0 var(--bad); } .bad h1 { color: var(--bad-text); }
@media (max-height: 720px) { main { margin-top: 0; } }
@media (forced-colors: active) { label:has(:checked) { outline: 2px solid Highlight; outline-offset: -2px; } .glyph { forced-color-adjust: none; } }`;

/** Logo: the two sides. */
const MARK =
  '<svg viewBox="0 0 18 18" aria-hidden="true"><path d="M8 2H5a3 3 0 0 0-3 3v8a3 3 0 0 0 3 3h3v-4.2H6.4V6.2H8z" fill="var(--buyer)"/><path d="M10 2h3a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-3v-4.2h1.6V6.2H10z" fill="var(--supplier)"/></svg>';

const page = (title: string, note: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Integrations Explorer</title><style>${PAGE_STYLE}</style></head><body><header class="top">${MARK}<b>Integrations Explorer</b><span class="r">${note}</span></header><main><div class="card">${body}</div></main></body></html>`;

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

const does: Record<Side, string> = { repairer: "buys parts", supplier: "sells parts" };

const option = ({ organization, scope }: Choice, index: number): string =>
  `<label><input type="radio" name="organization_id" value="${escapeHtml(organization.id)}"${index === 0 ? " checked" : ""} required><i class="glyph ${scope}" aria-hidden="true"></i>${escapeHtml(organization.name)}<small>${does[scope]}</small><span>${scope}</span></label>`;

/** Consent page, where the user chooses the organization and thereby the scope. */
export const consentPage = (
  request: AuthorizationRequest,
  client: ClientRow,
  choices: readonly Choice[],
  proof: string,
): string =>
  page(
    `Install ${client.name}`,
    request.world === DEFAULT_WORLD ? "sandbox consent" : `sandbox consent, world ${escapeHtml(request.world)}`,
    `<div class="intro"><h1>Install ${escapeHtml(client.name)}?</h1>
<p>This app wants to access one of your organizations.</p>
<dl><dt>App</dt><dd><code>${escapeHtml(client.client_id)}</code></dd><dt>Redirects to</dt><dd><code>${escapeHtml(new URL(request.redirectUri).origin)}</code></dd><dt>With</dt><dd>an access code that works once, within 15 minutes</dd></dl></div>
<form method="post" action="/__oauth/authorize"><fieldset><legend>Act for</legend>${choices.map(option).join("")}</fieldset>
${hidden("client_id", request.clientId)}${hidden("redirect_uri", request.redirectUri)}${request.state === null ? "" : hidden("state", request.state)}${hidden("world", request.world)}${hidden("proof", proof)}
<div class="row"><small>This sandbox page stands in for the platform’s.</small><button name="decision" value="deny" formnovalidate>Deny</button><button name="decision" value="approve">Approve</button></div></form>`,
  );

/** Shown instead of a redirect if the request can't be trusted. */
export const problemPage = (problem: string, advice: string): string =>
  page(
    "Can’t continue this install",
    "sandbox consent",
    `<div class="bad"><h1>Can’t continue this install</h1><p>${escapeHtml(problem)}</p><p>${escapeHtml(advice)}</p></div>`,
  );
