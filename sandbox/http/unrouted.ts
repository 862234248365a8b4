import type { FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { type Cause, withNext } from "../contract/causes.ts";
import type { UnroutedKind } from "../contract/control/rows.ts";
import { type ErrorCode, errorCodes, Refusal } from "../contract/errors.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { readText } from "../rules/json/untyped.ts";
import { SANDBOX_RECEIVER_HEADER } from "../rules/webhooks/receiver.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/worlds/world-name.ts";
import type { CallDetails } from "../storage/requests-store.ts";
import { errorBody, sendJson } from "./answers.ts";
import { findKnownCaller, findProvenOrigin, hasObserverToken, requestedWorld } from "./callers.ts";
import { newExchange } from "./exchange.ts";
import type { KnownCaller } from "./fault-gate.ts";
import { findEscapedWorld, findPreparingWorld } from "./link-calls.ts";
import type { CutOff } from "./unreadable.ts";
import { explainNextUnrouted, explainUnrouted, type UnroutedFact } from "./unrouted-facts.ts";

const operations = new Map<string | undefined, Operation>(partnerOperations.map((one) => [operationPath(one), one]));

/** A call that reaches no operation, and its response. */
export interface UnroutedCall {
  readonly kind: UnroutedKind;
  /** Default: the kind's cause. */
  readonly cause?: Cause;
  readonly code: ErrorCode;
  readonly message: string;
  /** The reason for the record. Default: the message. */
  readonly fact?: string;
  /** Default: the code's status. */
  readonly status?: number;
}

/** Addresses of operations. `__sandbox` is the control plane. */
export const OPERATION_PATHS = /^\/(api|__extensions|__sandbox|__webhooks)\//;
/** Addresses that the service issues, or that a partner's app links to. They may name their world in the query. */
const LINK_PATHS = /^\/(__uploads|__oauth)\//;
const CONTROL_PATHS = /^\/__sandbox(\/|$)/;
/** Addresses of the explorer's files, and those browsers request by themselves. */
const BROWSER_PATHS = /^\/(assets|\.well-known)\/|^\/favicon\.ico$/;

export const requestPath = ({ url }: Pick<FastifyRequest, "url">): string => url.split("?", 1)[0] ?? url;

/** Escapes in a row, which may be one UTF-8 character, or what looks like an escape and is none. */
const ESCAPES = /(%[\da-f]{2})+|%.{0,2}/gi;

const isDecodable = (escapes: string): boolean => {
  try {
    decodeURIComponent(escapes);
    return true;
  } catch {
    return false;
  }
};

/** The first escape of a path that doesn't decode. */
export const findBrokenEscape = (path: string): string | undefined =>
  path.match(ESCAPES)?.find((escapes) => !isDecodable(escapes));

/** Checks whether a request can be a call to an operation, rather than to the control plane or a browser's own. */
const isCall = (request: FastifyRequest): boolean => {
  const address = requestPath(request);
  if (CONTROL_PATHS.test(address) || BROWSER_PATHS.test(address)) return false;
  return request.is404 || OPERATION_PATHS.test(address) || LINK_PATHS.test(address);
};

/** World that a call names; the default one instead of an invalid name. */
const findNamedWorld = (request: FastifyRequest, services: AppServices): string => {
  const linked = LINK_PATHS.test(requestPath(request))
    ? (readText(request.query, "world") ?? findEscapedWorld(request.url) ?? findPreparingWorld(request.url, services))
    : undefined;
  const named = linked ?? requestedWorld(request);
  return isWorldName(named) ? named : DEFAULT_WORLD;
};

/**
 * Caller in the named world, or in the seed if it's missing. Undefined if its file is damaged or another node may own
 * the world.
 */
const findCaller = (
  { worlds, placement }: AppServices,
  name: string,
  request: FastifyRequest,
): { readonly caller: KnownCaller; readonly isStray: boolean } | undefined =>
  worlds.isThere(name) || placement
    ? worlds.withIntactWorld(name, (world) => ({ caller: findKnownCaller(request, world), isStray: false }))
    : { caller: findKnownCaller(request, worlds.seed), isStray: true };

/** Begins the record of a call that is refused before its operation. @param body to keep */
const record = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: AppServices,
  details: Partial<CallDetails>,
  body: Buffer | null = null,
): void => {
  const name = findNamedWorld(request, services);
  const found =
    isCall(request) && !hasObserverToken(request, services) ? findCaller(services, name, request) : undefined;
  if (!found || (services.mode === "deployed" && !found.caller)) return;
  request.exchange = newExchange(name, null, body, reply.elapsedTime);
  request.exchange.isStray = found.isStray;
  Object.assign(request.exchange.details, found.caller, details, {
    origin: findProvenOrigin(request, services) ?? undefined,
  });
};

/** Begins the record of a call whose world can't be created (D85). */
export const recordWorldless = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: AppServices,
  message: string,
): void => {
  const operation = operations.get(request.routeOptions.url)?.id ?? null;
  const cause = "too_many_worlds" satisfies Cause;
  const details = {
    operation,
    error_code: cause,
    outcome: message,
    refused_for: { cause, pointers: [], fact: message },
  };
  record(request, reply, services, details, Buffer.isBuffer(request.body) ? request.body : null);
};

/** Explains how a call ended within its body. */
const describeCutOff = ({ headers }: FastifyRequest, cutOff: CutOff | null): UnroutedFact => {
  const isStalled = cutOff?.status === 408;
  if (cutOff && !isStalled && cutOff.code !== "HPE_INVALID_EOF_STATE")
    return { cause: "unreadable", fact: "A chunk of the body is malformed." };
  const length = headers["content-length"];
  const how = `The connection ${isStalled ? "stalled" : "was closed"} before the whole body arrived.`;
  return length === undefined
    ? {
        cause: "body_aborted",
        fact: `${how} Its last chunk is missing.`,
        remedy: "End the body with its last chunk. If the client stopped by itself, allow it more time.",
      }
    : { cause: "body_aborted", fact: `${how} \`Content-Length\` is ${length}, and fewer bytes came.` };
};

/** Begins the record of a call that ended within its body. @param cutOff its response; null if there was none */
export const recordCutOff = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: AppServices,
  cutOff: CutOff | null,
): void => {
  const why = describeCutOff(request, cutOff);
  const error_code = cutOff && "bad_request";
  const details = { unrouted: "unreadable", error_code, outcome: why.fact } as const;
  record(request, reply, services, { ...details, refused_for: { ...why, pointers: [] } });
};

/**
 * Refuses a call that reaches no operation, in the form of the likely operation (D2). Records it in its world, or at
 * the service if the world doesn't exist, because such a call creates none (D85). Deployed, records only calls with
 * valid credentials. Reads of the explorer are not recorded.
 */
export const refuseUnrouted = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: AppServices,
  { kind, cause, code, message, fact = message, status = errorCodes[code].status }: UnroutedCall,
): FastifyReply => {
  const own = cause ? { cause, fact } : explainUnrouted(request, kind);
  const next = explainNextUnrouted(request, kind);
  const why = own ?? (next && { cause: kind, fact: message });
  const finer = why && { refused_for: withNext({ pointers: [], ...why }, next && { pointers: [], ...next }) };
  record(request, reply, services, { unrouted: kind, error_code: code, outcome: message, ...finer });
  const operation = operations.get(request.routeOptions.url) ?? null;
  // Tells the sender of a notification that the address belongs to this service, not to a partner.
  if (request.headers[SIGNATURE_HEADER] !== undefined) reply.header(SANDBOX_RECEIVER_HEADER, "yes");
  return sendJson(reply, status, JSON.stringify(errorBody(new Refusal(code, message), operation)));
};
