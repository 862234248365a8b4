import type { GivenClient, GivenCredential, ServiceConfig } from "../config.ts";
import { fixedClients, fixedCredentials } from "../worlds/seed/fixed.ts";

/** The one line a host prints, or writes to the ready file, when the service can be used. */
export interface ReadyLine {
  readonly event: "ready";
  readonly base_url: string;
  readonly explorer_url: string;
  readonly mode: "local" | "deployed";
  readonly pid: number;
  readonly control_token: string;
  readonly credentials?: Record<"repairer" | "supplier", { readonly api_key: string; readonly integration_id: string }>;
  readonly clients?: Record<"demo" | "no_oauth", { readonly client_id: string; readonly client_secret: string }>;
}

type Key = Pick<GivenCredential, "api_key" | "integration_id">;
type Secret = Pick<GivenClient, "client_id" | "client_secret">;

const keyOf = ({ api_key, integration_id }: Key): Key => ({ api_key, integration_id });
const secretOf = ({ client_id, client_secret }: Secret): Secret => ({ client_id, client_secret });

/** The ready line of a service at an address. In local mode it says the credentials too. */
export const makeReadyLine = (
  baseUrl: string,
  token: string,
  { mode, credentials: given }: Pick<ServiceConfig, "mode" | "credentials">,
): ReadyLine => {
  const { credentials, clients } = given ?? { credentials: fixedCredentials, clients: fixedClients };
  const known = {
    credentials: { repairer: keyOf(credentials.repairer), supplier: keyOf(credentials.supplier) },
    clients: { demo: secretOf(clients.demo), no_oauth: secretOf(clients.no_oauth) },
  };
  return {
    event: "ready",
    base_url: baseUrl,
    explorer_url: `${baseUrl}/#token=${token}`,
    mode,
    pid: process.pid,
    control_token: token,
    ...(mode === "local" ? known : {}),
  };
};
