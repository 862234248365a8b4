import type { Side } from "../contract/control/rows.ts";
import { DEFAULT_WORLD } from "../rules/world-name.ts";
import type { ClientRow } from "../storage/credentials-store.ts";
import type { AuthorizationRequest, Choice } from "./authorization.ts";
import { PAGE_STYLE } from "./page-style.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as it may stand in HTML, in an attribute or between tags. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** The app's mark: the two sides. */
const MARK =
  '<svg viewBox="0 0 18 18" aria-hidden="true"><path d="M8 2H5a3 3 0 0 0-3 3v8a3 3 0 0 0 3 3h3v-4.2H6.4V6.2H8z" fill="var(--buyer)"/><path d="M10 2h3a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-3v-4.2h1.6V6.2H10z" fill="var(--supplier)"/></svg>';

const page = (title: string, note: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Integrations Explorer</title><style>${PAGE_STYLE}</style></head><body><header class="top">${MARK}<b>Integrations Explorer</b><span class="r">${note}</span></header><main><div class="card">${body}</div></main></body></html>`;

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

const does: Record<Side, string> = { repairer: "buys parts", supplier: "sells parts" };

const option = ({ organization, scope }: Choice, index: number): string =>
  `<label><input type="radio" name="organization_id" value="${escapeHtml(organization.id)}"${index === 0 ? " checked" : ""} required><i class="glyph ${scope}" aria-hidden="true"></i>${escapeHtml(organization.name)}<small>${does[scope]}</small><span>${scope}</span></label>`;

/** The consent page: which organization, and so which scope, the app is given. */
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
<p>This app asks to act for one of your organizations.</p>
<dl><dt>App</dt><dd><code>${escapeHtml(client.client_id)}</code></dd><dt>Redirects to</dt><dd><code>${escapeHtml(new URL(request.redirectUri).origin)}</code></dd><dt>With</dt><dd>an access code that works once, within 15 minutes</dd></dl></div>
<form method="post" action="/__oauth/authorize"><fieldset><legend>Act for</legend>${choices.map(option).join("")}</fieldset>
${hidden("client_id", request.clientId)}${hidden("redirect_uri", request.redirectUri)}${request.state === null ? "" : hidden("state", request.state)}${hidden("world", request.world)}${hidden("proof", proof)}
<div class="row"><small>This sandbox page stands in for the platform’s.</small><button name="decision" value="deny" formnovalidate>Deny</button><button name="decision" value="approve">Approve</button></div></form>`,
  );

/** What is shown instead of a redirect when the request cannot be trusted. */
export const problemPage = (problem: string, advice: string): string =>
  page(
    "This install can’t continue",
    "sandbox consent",
    `<div class="bad"><h1>This install cannot go on</h1><p>${escapeHtml(problem)}</p><p>${escapeHtml(advice)}</p></div>`,
  );
