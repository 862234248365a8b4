import { isUuid } from "../contract/schema.ts";
import { sameSecret } from "../secrets/keys.ts";
import type { CredentialsStore } from "../storage/credentials-store.ts";
import type { Caller } from "./handler.ts";

export interface CredentialHeaders {
  readonly authorization: string | undefined;
  readonly integrationId: string | undefined;
}

const BEARER = /^Bearer[ \t]+(\S+)[ \t]*$/i;
const STARTS_WITH_BEARER = /^Bearer(?:[ \t]|$)/i;

/** Contract, "Authentication": the caller if key and integration belong together, else null. */
export const authenticate = (headers: CredentialHeaders, credentials: CredentialsStore): Caller | null => {
  const key = BEARER.exec(headers.authorization ?? "")?.[1];
  const { integrationId } = headers;
  if (key === undefined || integrationId === undefined || !isUuid(integrationId)) return null;
  const credential = credentials.findByIntegration(integrationId.toLowerCase());
  if (!credential || !sameSecret(key, credential.api_key)) return null;
  return {
    integration_id: credential.integration_id,
    organization_id: credential.organization_id,
    scope: credential.scope,
  };
};

/** Cause of a failed authentication. */
export const findAuthenticationCause = ({
  authorization,
  integrationId,
}: CredentialHeaders): "no_bearer" | "no_credentials" | "credentials" => {
  if (authorization !== undefined && !STARTS_WITH_BEARER.test(authorization)) return "no_bearer";
  return authorization === undefined || integrationId === undefined ? "no_credentials" : "credentials";
};
