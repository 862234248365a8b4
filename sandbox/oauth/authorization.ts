import type { GivenCredentials } from "../config.ts";
import { type Cause, refuseFor, withNext } from "../contract/causes.ts";
import type { Side } from "../contract/control/rows.ts";
import { Refusal } from "../contract/errors.ts";
import { similarity } from "../contract/nearest-names.ts";
import { describeSimilar, findKind, isPlaceholder } from "../operations/likely-mistakes.ts";
import { isLoopbackHost } from "../rules/webhooks/webhook-url.ts";
import type { ClientRow } from "../storage/credentials-store.ts";
import type { OrganizationRow } from "../storage/directory-store.ts";
import type { World } from "../worlds/world.ts";

/** Parameters with which a partner's app sends a browser here (D21). */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly world: string;
  /** Names of all parameters that were sent. */
  readonly names: readonly string[];
}

/** An organization that can be chosen, with its side. */
export interface Choice {
  readonly organization: OrganizationRow;
  readonly scope: Side;
}

type ConsentCause = Extract<Cause, `consent_${string}`>;

type Authorization =
  | { readonly client: ClientRow; readonly redirect: URL; readonly choices: readonly Choice[] }
  | ConsentProblem;

/** Why a request is refused, for the page and for the record. */
export interface ConsentProblem {
  readonly problem: string;
  readonly advice: string;
  readonly refusal: Refusal;
}

/** Rule for permitted redirect addresses. */
export type RedirectRule = (clientId: string, redirect: URL) => boolean;

/** D21, RFC 8252: in local mode, loopback on any port. */
const loopbackRedirects: RedirectRule = (_clientId, redirect) =>
  ["http:", "https:"].includes(redirect.protocol) &&
  isLoopbackHost(redirect.hostname) &&
  !redirect.username &&
  !redirect.password;

/** D21: loopback locally, registered `https` addresses when deployed. */
export const redirectRule = (mode: "local" | "deployed", given: GivenCredentials | null): RedirectRule => {
  if (mode === "local") return loopbackRedirects;
  const clients = given === null ? [] : Object.values(given.clients);
  return (clientId, redirect) =>
    clients.some(
      (client) =>
        client.client_id === clientId &&
        client.redirect_uris.some((uri) => URL.canParse(uri) && new URL(uri).href === redirect.href),
    );
};

const parseRedirect = (text: string): URL | null => (URL.canParse(text) && !text.includes("#") ? new URL(text) : null);

const LOCAL_ADVICE =
  "A local sandbox only redirects to loopback addresses: http://127.0.0.1, http://localhost or http://[::1], on any port, without a fragment.";
const DEPLOYED_ADVICE =
  "It must exactly match one of the client’s registered https addresses: redirect_uris in the credentials file.";

/** @param problem for the page @param fact for the record, if it says more */
export const consentProblem = (
  cause: ConsentCause,
  problem: string,
  advice: string,
  fact: string | null = null,
): ConsentProblem => ({ problem, advice, refusal: refuseFor(cause, [], problem, { fact }) });

/** Similarity (0 to 1) from which a parameter counts as a misspelling. */
const MIN_NAME_SIMILARITY = 0.7;

/** A parameter that was likely meant as this one. */
const describeMisspelt = ({ names }: AuthorizationRequest, meant: string): string | null => {
  const [nearest] = names
    .map((name) => ({ name, alike: similarity(name.toLowerCase(), meant) }))
    .filter(({ name, alike }) => name !== meant && alike >= MIN_NAME_SIMILARITY)
    .toSorted((one, other) => other.alike - one.alike);
  return nearest ? `The parameter is called \`${meant}\` here: \`${nearest.name.slice(0, 64)}\` was ignored.` : null;
};

const describeClient = (world: World, id: string): string | null => {
  if (isPlaceholder(id)) return "`client_id` holds a placeholder: a variable was not filled in.";
  const kind = findKind(world, id);
  if (kind) return `\`client_id\` holds ${kind.words}.`;
  const clients = world.stores.credentials.clients();
  if (clients.some(({ name }) => name === id)) return "`client_id` holds the name of a client.";
  const meant = clients.find(({ client_id }) => describeSimilar(id, [client_id]) !== null)?.client_id;
  return meant === undefined
    ? null
    : `\`client_id\` is ${describeSimilar(id, [meant])}. The nearest one is \`${meant}\`.`;
};

/** @param isLocal whether only addresses of this machine are allowed */
const describeRedirect = (uri: string, isLocal: boolean): string | null => {
  if (isPlaceholder(uri)) return "`redirect_uri` holds a placeholder: a variable was not filled in.";
  if (/^https?%3a/i.test(uri)) return "`redirect_uri` was percent-encoded twice.";
  if (!URL.canParse(uri)) return "`redirect_uri` is not a whole address, such as `http://127.0.0.1:5173/callback`.";
  if (uri.includes("#")) return "`redirect_uri` has a fragment: what follows `#`.";
  const { protocol, hostname, username, password } = new URL(uri);
  if (!isLocal) return null;
  if (!["http:", "https:"].includes(protocol)) return `\`redirect_uri\` begins with \`${protocol}\`.`;
  if (!isLoopbackHost(hostname)) return `The host of \`redirect_uri\` is ${hostname}, which is not this machine.`;
  return username || password ? "`redirect_uri` has a user name or a password." : null;
};

/** The redirect address if it is allowed, else its problem. */
const checkRedirect = (request: AuthorizationRequest, mayRedirect: RedirectRule): URL | ConsentProblem => {
  const { clientId, redirectUri } = request;
  const redirect = parseRedirect(redirectUri);
  if (redirect && mayRedirect(clientId, redirect)) return redirect;
  const isLocal = mayRedirect === loopbackRedirects;
  const advice = isLocal ? LOCAL_ADVICE : DEPLOYED_ADVICE;
  return redirectUri === ""
    ? consentProblem(
        "consent_redirect_missing",
        "The redirect_uri is missing.",
        advice,
        describeMisspelt(request, "redirect_uri"),
      )
    : consentProblem(
        "consent_redirect_not_allowed",
        "The redirect_uri is not allowed for this client.",
        advice,
        describeRedirect(redirectUri, isLocal),
      );
};

/** Adds a further problem to the record. The page shows the first. */
const withNextProblem = (first: ConsentProblem, next: ConsentProblem | null): ConsentProblem => {
  const { code, message, why } = first.refusal;
  if (!why || !next) return first;
  return { ...first, refusal: new Refusal(code, message, withNext(why, next.refusal.why)) };
};

/** Validates a request before anything is shown. Problems are shown on this page, never by a redirect. */
export const evaluateAuthorization = (
  request: AuthorizationRequest,
  world: World,
  mayRedirect: RedirectRule,
): Authorization => {
  const { clientId } = request;
  const client = world.stores.credentials.client(clientId);
  const redirect = checkRedirect(request, mayRedirect);
  // Deployed, the allowed addresses depend on the client.
  const isJudged = client !== undefined || mayRedirect === loopbackRedirects;
  const next = redirect instanceof URL || !isJudged ? null : redirect;
  if (!client) {
    const advice = "Check the client_id. The Install page lists the sandbox’s clients.";
    const problem =
      clientId === ""
        ? consentProblem(
            "consent_client_missing",
            "The client_id is missing.",
            advice,
            describeMisspelt(request, "client_id"),
          )
        : consentProblem(
            "consent_client_unknown",
            "No client has this client_id.",
            advice,
            describeClient(world, clientId),
          );
    return withNextProblem(problem, next);
  }
  if (!client.oauth_enabled) {
    const problem = consentProblem(
      "consent_client_not_enabled",
      `${client.name} is not enabled for OAuth install.`,
      "Use a client that is enabled. The Install page lists the sandbox’s clients.",
    );
    return withNextProblem(problem, next);
  }
  if (!(redirect instanceof URL)) return redirect;
  const choices = world.stores.directory
    .organizations()
    .flatMap((organization) => (organization.scope === null ? [] : [{ organization, scope: organization.scope }]));
  return { client, redirect, choices };
};

/** Redirect address with `code` or `error`, and the unchanged `state`. */
export const createRedirect = (
  redirect: URL,
  result: { readonly code: string } | { readonly error: string },
  state: string | null,
): string => {
  const address = new URL(redirect);
  for (const [name, value] of Object.entries(result)) address.searchParams.set(name, value);
  if (state !== null) address.searchParams.set("state", state);
  return address.href;
};
