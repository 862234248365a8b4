import { fixedClients, fixedCredentials } from "../../sandbox/contract/demo-values.ts";
import { type Page, stacked, table } from "./page.ts";

const owners = { repairer: "Tarn & Rowe Collision (buyer)", supplier: "Meridian Genuine Parts (supplier)" } as const;

/** The keys and clients of every new world. */
export const demoValuesPage: Page = {
  slug: "reference/demo-values",
  title: "Demo keys",
  description: "The API keys, integrations and clients that every new world starts with.",
  body: stacked(
    "These values only open a sandbox with invented data. They are the same in every new world, and you can copy them anywhere. A deployed sandbox refuses them.",
    "## API keys",
    table(
      ["Organization", "API key", "Integration ID", "Webhook secret"],
      (["repairer", "supplier"] as const).map((scope) => {
        const { api_key, integration_id, webhook_secret } = fixedCredentials[scope];
        return [owners[scope], `\`${api_key}\``, `\`${integration_id}\``, `\`${webhook_secret}\``];
      }),
    ),
    "## Clients",
    table(
      ["Client", "`client_id`", "`client_secret`", "OAuth install"],
      Object.values(fixedClients).map(({ name, client_id, client_secret, oauth_enabled }) => [
        name,
        `\`${client_id}\``,
        `\`${client_secret}\``,
        oauth_enabled ? "enabled" : "not enabled",
      ]),
    ),
    "Send `x-sandbox-tenant: <name>` with every call to use a private world. It starts with the same data and resets after an hour without calls.",
  ),
};
