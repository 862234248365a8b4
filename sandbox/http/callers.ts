import type { FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { type ProvenOrigin, provenOrigins } from "../contract/control/rows.ts";
import type { Operation } from "../contract/operation.ts";
import { isUuid } from "../contract/schema.ts";
import { authenticate, type CredentialHeaders } from "../operations/authenticate.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { OBSERVER_HEADER, ORIGIN_HEADER } from "../secrets/masking.ts";
import type { World } from "../worlds/world.ts";
import { bearerToken, type ControlCaller, findCaller } from "./control-access.ts";
import type { KnownCaller } from "./fault-gate.ts";

export const TENANT_HEADER = "x-sandbox-tenant";

type WithHeaders = Pick<FastifyRequest, "headers">;

/** D80: the world of a partner's call. Valid after the tenant check. */
export const requestedWorld = ({ headers }: WithHeaders): string => {
  const header = headers[TENANT_HEADER];
  return typeof header === "string" ? header : DEFAULT_WORLD;
};

export const requestCredentials = ({ headers }: FastifyRequest): CredentialHeaders => {
  const integrationId = headers["service-integration-id"];
  return {
    authorization: headers.authorization,
    integrationId: typeof integrationId === "string" ? integrationId : undefined,
  };
};

/** Credentials of the explorer's own read as an integration. Needs no key, because its token was checked. */
export const observerCredentials = (request: FastifyRequest, world: World): CredentialHeaders => {
  const { authorization, integrationId = "" } = requestCredentials(request);
  const known =
    authorization === undefined && isUuid(integrationId)
      ? world.stores.credentials.findByIntegration(integrationId.toLowerCase())
      : undefined;
  return { authorization: known ? `Bearer ${known.api_key}` : authorization, integrationId };
};

/** Caller by credentials alone, for checks before authentication. */
export const findKnownCaller = (request: FastifyRequest, world: World): KnownCaller => {
  const caller = authenticate(requestCredentials(request), world.stores.credentials);
  return caller && { integration_id: caller.integration_id, side: caller.scope };
};

/** Owner of a control-plane token in any of the headers; null without a valid one. */
export const findTokenOwner = (request: FastifyRequest, services: AppServices): ControlCaller | null => {
  const { [OBSERVER_HEADER]: observer, [ORIGIN_HEADER]: origin } = request.headers;
  const secrets = [bearerToken(request), observer, typeof origin === "string" ? origin.split(" ", 2)[1] : undefined];
  for (const secret of secrets) {
    const caller = typeof secret === "string" && secret !== "" ? findCaller(secret, services) : null;
    if (caller) return caller;
  }
  return null;
};

/** Checks whether a secret opens the call's world: the control token opens all, a world token its own. */
const canOpen = (secret: string, request: WithHeaders, services: AppServices): boolean => {
  const caller = findCaller(secret, services);
  return caller !== null && (caller.token === null || caller.token.world === requestedWorld(request));
};

/** Checks whether a call is a proven read of the explorer. */
export const hasObserverToken = (request: FastifyRequest, services: AppServices): boolean => {
  const token = request.headers[OBSERVER_HEADER];
  return typeof token === "string" && canOpen(token, request, services);
};

/**
 * A read by the explorer, proven by its token. It is not recorded and meets no fault, so viewing a world changes
 * nothing.
 */
export const isObserverRead = (request: FastifyRequest, { effect }: Operation, services: AppServices): boolean =>
  effect === "read" && hasObserverToken(request, services);

/** Proven origin of a call; null if unproven. */
export const findProvenOrigin = (request: FastifyRequest, services: AppServices): ProvenOrigin | null => {
  if (hasObserverToken(request, services)) return "explorer";
  return parseOrigin(request, services)?.origin ?? null;
};

/** Original trace of a call that a recorded scenario repeats, which gets the same IDs; null for other calls. */
export const findRepeatedTrace = (request: WithHeaders, services: AppServices): string | null => {
  const trace = parseOrigin(request, services)?.trace ?? "";
  return isUuid(trace) ? trace : null;
};

const parseOrigin = (request: WithHeaders, services: AppServices) => {
  const header = request.headers[ORIGIN_HEADER];
  if (typeof header !== "string") return null;
  const [originName, token = "", trace] = header.split(" ", 3);
  const origin = provenOrigins.find((one) => one === originName);
  return origin !== undefined && canOpen(token, request, services) ? { origin, trace } : null;
};
