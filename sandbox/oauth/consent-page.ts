import type { ClientRow } from "../storage/credentials-store.ts";
import type { AuthorizationRequest, Choice } from "./authorization.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as it may stand in HTML, in an attribute or between tags. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const STYLE = `
:root { color-scheme: light dark; --canvas: #f9fafb; --surface: #fff; --line: #cbced1; --text: #15191d; --text-2: #43484e; --text-3: #5e646a;
  --accent: #006777; --on-accent: #fff; --buyer: #3760d8; --supplier: #bd307d; --bad: #b01f1f; --tint: #eef7f9; }
@media (prefers-color-scheme: dark) { :root { --canvas: #0f1114; --surface: #14171a; --line: #393e43; --text: #e6e8ea; --text-2: #b2b6bb;
  --text-3: #8f949a; --accent: #56bfd3; --on-accent: #051214; --buyer: #648cf3; --supplier: #e267a3; --bad: #fd9995; --tint: #17262a; } }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--canvas); color: var(--text);
  font: 13px/20px Inter, system-ui, sans-serif; }
main { width: min(440px, 100%); background: var(--surface); border: 1px solid var(--line); border-radius: 6px; padding: 24px; }
h1 { font-size: 15px; line-height: 20px; margin-bottom: 8px; } p { color: var(--text-2); } p + p { margin-top: 8px; }
fieldset { border: 0; padding: 0; margin: 20px 0; display: grid; gap: 4px; } legend { padding: 0 0 8px; font-weight: 600; }
label { display: flex; gap: 8px; align-items: center; padding: 8px 12px; border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
label:has(:checked) { border-color: var(--accent); background: var(--tint); } input { accent-color: var(--accent); margin: 0; }
label span { margin-left: auto; color: var(--text-3); font-size: 12px; }
.glyph { width: 12px; height: 12px; border: 1.5px solid; border-radius: 2px; flex: none; }
.repairer { color: var(--buyer); background: linear-gradient(90deg, currentColor 50%, transparent 50%); }
.supplier { color: var(--supplier); background: linear-gradient(90deg, transparent 50%, currentColor 50%); }
code { font-family: "JetBrains Mono", ui-monospace, monospace; font-size: 12px; overflow-wrap: anywhere; }
.row { display: flex; gap: 8px; justify-content: flex-end; margin-top: 20px; }
button { height: 28px; padding: 0 12px; border-radius: 4px; border: 1px solid var(--line); background: transparent; color: inherit; font: 500 13px/20px inherit; font-family: inherit; cursor: pointer; }
button[value=approve] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; } .bad { color: var(--bad); }`;

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

const option = ({ organization, scope }: Choice, index: number): string =>
  `<label><input type="radio" name="organization_id" value="${escapeHtml(organization.id)}"${index === 0 ? " checked" : ""} required><i class="glyph ${scope}" aria-hidden="true"></i>${escapeHtml(organization.name)}<span>${scope}</span></label>`;

/** The consent page: which organization, and so which scope, the app is given. */
export const consentPage = (
  request: AuthorizationRequest,
  client: ClientRow,
  choices: readonly Choice[],
  proof: string,
): string =>
  page(
    `Install ${client.name}`,
    `<h1>Install ${escapeHtml(client.name)}?</h1>
<p>It asks to act for one of your organizations. You are sent back to <code>${escapeHtml(new URL(request.redirectUri).origin)}</code> with a code that can be used once, within 15 minutes.</p>
<form method="post" action="/__oauth/authorize"><fieldset><legend>Act for</legend>${choices.map(option).join("")}</fieldset>
${hidden("client_id", request.clientId)}${hidden("redirect_uri", request.redirectUri)}${request.state === null ? "" : hidden("state", request.state)}${hidden("world", request.world)}${hidden("proof", proof)}
<div class="row"><button name="decision" value="deny" formnovalidate>Deny</button><button name="decision" value="approve">Approve</button></div></form>`,
  );

/** What is shown instead of a redirect when the request cannot be trusted. */
export const problemPage = (problem: string, advice: string): string =>
  page(
    "This install cannot go on",
    `<h1 class="bad">This install cannot go on</h1><p>${escapeHtml(problem)}</p><p>${escapeHtml(advice)}</p>`,
  );
