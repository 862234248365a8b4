import { randomUUID } from "node:crypto";
import { refuseFor } from "../contract/causes.ts";
import { sideLabels } from "../contract/control/rows.ts";
import { integrationsInsert } from "../contract/operations/partner.ts";
import { explainInvalidCode } from "../rules/access/access-code.ts";
import { installedKey, sameSecret, webhookSecret } from "../secrets/keys.ts";
import { handler } from "./handler.ts";

/** Contract, "Install": checks in order, then a new key and integration. A refusal doesn't use up the code (D23). */
export const insertIntegration = handler(integrationsInsert, (context, input) => {
  const { stores, now } = context;
  const client = stores.credentials.client(input.client_id);
  if (!client) return refuseFor("client_unknown", ["/client_id"]);
  if (!client.oauth_enabled) return refuseFor("client_not_enabled", ["/client_id"]);
  if (!sameSecret(input.client_secret, client.client_secret))
    return refuseFor("client_secret_wrong", ["/client_secret"]);
  const code = stores.credentials.code(input.access_code);
  // A code presented by another client stays valid for its own client (D22).
  const problem = explainInvalidCode(code, client.client_id, now);
  if (!code || problem !== null)
    return refuseFor("access_code_unusable", ["/access_code"], undefined, { fact: problem });

  stores.credentials.consumeCode(code.code, now);
  const integration_id = context.newId();
  // Fully random, because other IDs begin with the time.
  const api_key = installedKey(randomUUID());
  stores.credentials.insert({
    integration_id,
    api_key,
    webhook_secret: webhookSecret(context.randomBytes(32)),
    organization_id: code.organization_id,
    scope: code.scope,
    client_id: client.client_id,
    preloaded: false,
    created_at: now,
  });
  context.changed({
    entity: "credential",
    id: integration_id,
    label: client.name,
    change: "inserted",
    job_id: null,
    before: null,
    after: { integration_id, organization_id: code.organization_id, scope: code.scope, client_id: client.client_id },
  });
  context.about({ outcome: `${sideLabels[code.scope]}’s credential created` });
  return { api_key, integration_id };
});
