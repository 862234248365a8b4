import { randomUUID } from "node:crypto";
import { refuseFor } from "../contract/causes.ts";
import { sideLabels } from "../contract/control/rows.ts";
import type { Refusal } from "../contract/errors.ts";
import type { RequestOf } from "../contract/operation.ts";
import { integrationsInsert } from "../contract/operations/partner.ts";
import { explainInvalidCode } from "../rules/access/access-code.ts";
import { installedKey, sameSecret, webhookSecret } from "../secrets/keys.ts";
import type { Stores } from "../storage/stores.ts";
import { handler } from "./handler.ts";
import type { RefusedCall } from "./refused-call.ts";

type InstallRequest = RequestOf<typeof integrationsInsert>;

const otherClientRemedy = (client_id: string): string =>
  `Use the code with the client \`${client_id}\`, to which it was issued, or get a new code for the other client.`;

/** The client and the code of an exchange, and all its refusals in the order of the checks. */
const evaluate = (
  { client_id, client_secret, access_code }: InstallRequest,
  { credentials }: Pick<Stores, "credentials">,
  now: number,
) => {
  const client = credentials.client(client_id);
  const code = credentials.code(access_code);
  // A code presented by another client stays valid for its own client (D22).
  const problem = explainInvalidCode(code, client?.client_id ?? code?.client_id ?? "", now);
  const refusals = [
    client ? null : refuseFor("client_unknown", ["/client_id"]),
    client && !client.oauth_enabled ? refuseFor("client_not_enabled", ["/client_id"]) : null,
    client && !sameSecret(client_secret, client.client_secret)
      ? refuseFor("client_secret_wrong", ["/client_secret"])
      : null,
    !code || problem !== null
      ? refuseFor("access_code_unusable", ["/access_code"], undefined, {
          fact: problem,
          ...(code && client && code.client_id !== client.client_id
            ? { remedy: otherClientRemedy(code.client_id) }
            : {}),
        })
      : null,
  ].filter((one) => one !== null);
  return { client, code, refusals };
};

export const listInstallRefusals = (input: unknown, { world }: RefusedCall): readonly Refusal[] =>
  evaluate(input as InstallRequest, world.stores, world.now()).refusals;

/** Contract, "Install": checks in order, then a new key and integration. A refusal doesn't use up the code (D23). */
export const insertIntegration = handler(integrationsInsert, (context, input) => {
  const { stores, now } = context;
  const { client, code, refusals } = evaluate(input, stores, now);
  const [refused] = refusals;
  if (refused || !client || !code) return refused ?? refuseFor("access_code_unusable");

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
