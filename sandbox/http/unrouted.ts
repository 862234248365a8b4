import type { FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import type { Cause } from "../contract/causes.ts";
import type { UnroutedKind } from "../contract/control/rows.ts";
import { type ErrorCode, errorCodes, Refusal } from "../contract/errors.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/worlds/world-name.ts";
import { errorBody, sendJson } from "./answers.ts";
import { knownCaller, provenOrigin, requestedWorld, showsToken } from "./callers.ts";
import type { KnownCaller } from "./fault-gate.ts";
import { newExchange } from "./plugins/exchange-log.ts";

/** By the addresses of their routes. */
const operations = new Map<string | undefined, Operation>(partnerOperations.map((one) => [operationPath(one), one]));

/** Why a call reaches no operation, and what it is answered. */
export interface Unrouted {
  readonly kind: UnroutedKind;
  /** Left out: that of its kind. */
  readonly cause?: Cause;
  readonly code: ErrorCode;
  readonly message: string;
  /** Left out: that of the code. */
  readonly status?: number;
}

/** The addresses of operations; `__sandbox` are those of the control plane. */
export const OPERATION_PATHS = /^\/(api|__extensions|__sandbox|__webhooks)\//;
const CONTROL_PATHS = /^\/__sandbox(\/|$)/;
/** What the explorer has files for, and what a browser asks for by itself. */
const BROWSER_PATHS = /^\/(assets|\.well-known)\/|^\/favicon\.ico$/;

/** An address without what is asked of it. */
export const requestPath = ({ url }: Pick<FastifyRequest, "url">): string => url.split("?", 1)[0] ?? url;

/** Whether it can be a call to an operation: neither one to the control plane nor a browser's own. */
const isCall = (request: FastifyRequest): boolean => {
  const address = requestPath(request);
  if (CONTROL_PATHS.test(address) || BROWSER_PATHS.test(address)) return false;
  return request.is404 || OPERATION_PATHS.test(address);
};

/**
 * Who calls the world that a call names, or a world like it where there is none; undefined: its file is damaged, or
 * another machine may have it.
 */
const callerIn = (
  { worlds, placement }: AppServices,
  name: string,
  request: FastifyRequest,
): { readonly caller: KnownCaller; readonly isStray: boolean } | undefined =>
  worlds.isThere(name) || placement
    ? worlds.lookIfIntact(name, (world) => ({ caller: knownCaller(request, world), isStray: false }))
    : { caller: knownCaller(request, worlds.seed), isStray: true };

/**
 * Refuses a call that reaches no operation, and has it kept in the world it names, or at the service where that is not
 * there, for such a call makes none (D85); when deployed only one with a valid credential. What the explorer reads for itself is on no record. It is
 * refused in the form of the operation it was meant for (D2).
 */
export const refuseUnrouted = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: AppServices,
  { kind, cause, code, message, status = errorCodes[code].status }: Unrouted,
): FastifyReply => {
  const named = requestedWorld(request);
  const name = isWorldName(named) ? named : DEFAULT_WORLD;
  const found = isCall(request) && !showsToken(request, services) ? callerIn(services, name, request) : undefined;
  if (found && (services.mode === "local" || found.caller)) {
    request.exchange = newExchange(name, null, null, reply.elapsedTime);
    request.exchange.isStray = found.isStray;
    const finer = cause && { refused_for: { cause, pointers: [], fact: message } };
    const said = { unrouted: kind, error_code: code, outcome: message, ...finer };
    Object.assign(request.exchange.said, found.caller, said, { origin: provenOrigin(request, services) ?? undefined });
  }
  const operation = operations.get(request.routeOptions.url) ?? null;
  return sendJson(reply, status, JSON.stringify(errorBody(new Refusal(code, message), operation)));
};
