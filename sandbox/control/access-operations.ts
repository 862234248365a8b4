import { Refusal, refuse } from "../contract/errors.ts";
import { maskSecret } from "../contract/known-secrets.ts";
import { issueAccessCode } from "../oauth/access-codes.ts";
import { iso } from "../rules/timestamp.ts";
import { type BoundControl, control } from "./handler.ts";

/** Access of integrations to a world: clients, credentials and access codes. */
export const accessControls: readonly BoundControl[] = [
  control("clients.list", ({ world }, { reveal }) => ({
    items: world.stores.credentials
      .clients()
      .map(({ client_secret, ...client }) => ({ ...client, ...(reveal ? { client_secret } : {}) })),
  })),
  control("credentials.list", ({ world }, { reveal }) => {
    const names = new Map(world.stores.directory.organizations().map(({ id, name }) => [id, name]));
    return {
      items: world.stores.credentials.list().map(({ api_key, webhook_secret, ...credential }) => ({
        ...credential,
        organization_name: names.get(credential.organization_id) ?? "",
        created_at: iso(credential.created_at),
        key_hint: maskSecret(api_key),
        ...(reveal ? { api_key, webhook_secret } : {}),
      })),
    };
  }),
  control("access-codes.issue", async ({ world, info }, { client_id, organization_id, scope }) => {
    const { credentials, directory } = world.stores;
    if (!credentials.client(client_id))
      return refuse("not_found", `/client_id ${client_id} doesn’t exist in this world`);
    const organization = directory.organization(organization_id.toLowerCase());
    if (!organization) return refuse("not_found", `/organization_id ${organization_id} doesn’t exist in this world`);
    if (organization.scope !== scope) {
      return refuse(
        "bad_request",
        `/scope must be ${organization.scope ?? "left to another organization"}: ${organization.name} has no ${scope} side`,
      );
    }
    const grant = { client_id, organization_id: organization.id, scope };
    const issued = await issueAccessCode(world, grant, info.quotas.accessCodes);
    return issued instanceof Refusal ? issued : { access_code: issued.code, expires_at: iso(issued.expires_at) };
  }),
];
