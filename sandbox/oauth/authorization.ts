import type { GivenCredentials } from "../config.ts";
import type { Side } from "../contract/control/rows.ts";
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
}

/** An organization that can be chosen, with its side. */
export interface Choice {
  readonly organization: OrganizationRow;
  readonly scope: Side;
}

export type Authorization =
  | { readonly client: ClientRow; readonly redirect: URL; readonly choices: readonly Choice[] }
  | { readonly problem: string; readonly advice: string };

/** Rule for permitted redirect addresses. */
export type RedirectRule = (clientId: string, redirect: URL) => boolean;

/** D21, RFC 8252: in local mode, loopback on any port. */
export const loopbackRedirects: RedirectRule = (_clientId, redirect) =>
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

/** Validates a request before anything is shown. Problems are shown on this page, never by a redirect. */
export const evaluateAuthorization = (
  request: AuthorizationRequest,
  world: World,
  mayRedirect: RedirectRule,
): Authorization => {
  const client = world.stores.credentials.client(request.clientId);
  if (!client)
    return {
      problem: request.clientId === "" ? "The client_id is missing." : "No client has this client_id.",
      advice: "Check the client_id. The Install page lists the sandbox’s clients.",
    };
  if (!client.oauth_enabled)
    return {
      problem: `${client.name} is not enabled for OAuth install.`,
      advice: "Use a client that is enabled. The Install page lists the sandbox’s clients.",
    };
  const redirect = parseRedirect(request.redirectUri);
  if (!redirect || !mayRedirect(client.client_id, redirect)) {
    return {
      problem:
        request.redirectUri === ""
          ? "The redirect_uri is missing."
          : "The redirect_uri is not allowed for this client.",
      advice: mayRedirect === loopbackRedirects ? LOCAL_ADVICE : DEPLOYED_ADVICE,
    };
  }
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
