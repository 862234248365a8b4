import type { GivenClient, GivenCredential, ServiceConfig } from "../config.ts";
import { fixedClients, fixedCredentials } from "../contract/demo-values.ts";
import type { ReadyLine } from "../contract/ready-line.ts";

export type { ReadyLine };

const pickKey = ({ api_key, integration_id }: GivenCredential) => ({ api_key, integration_id });
const pickSecret = ({ client_id, client_secret }: Pick<GivenClient, "client_id" | "client_secret">) => ({
  client_id,
  client_secret,
});

/** Ready line of a service. Includes the credentials in local mode. */
export const makeReadyLine = (
  baseUrl: string,
  token: string,
  { mode, credentials: given }: Pick<ServiceConfig, "mode" | "credentials">,
): ReadyLine => {
  const { credentials, clients } = given ?? { credentials: fixedCredentials, clients: fixedClients };
  const known = {
    credentials: { repairer: pickKey(credentials.repairer), supplier: pickKey(credentials.supplier) },
    clients: { demo: pickSecret(clients.demo), no_oauth: pickSecret(clients.no_oauth) },
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
