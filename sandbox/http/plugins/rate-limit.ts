import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { listenAnswer } from "../../contract/control/receiver-operations.ts";
import { operationPath } from "../../contract/operation.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/worlds/world-name.ts";
import { findKnownCaller, findTokenOwner, requestedWorld } from "../callers.ts";
import { OPERATION_PATHS, refuseUnrouted, requestPath } from "../unrouted.ts";

const WINDOW_MS = 60_000;

/** Static files and health checks, which cost little. */
const isFree = (request: FastifyRequest): boolean =>
  request.method === "GET" && !request.is404 && !OPERATION_PATHS.test(requestPath(request));

/** A developer machine's response with a valid token. */
const isListenResponse = (request: FastifyRequest, services: AppServices): boolean =>
  requestPath(request) === operationPath(listenAnswer) && findTokenOwner(request, services) !== null;

/**
 * Key of the counter: a world token, a valid API key, else the network address. IPv6 counts by network, because one
 * customer has all its addresses.
 */
const rateLimitKey = (request: FastifyRequest, services: AppServices, address: string): string => {
  const token = findTokenOwner(request, services)?.token;
  if (token) return token.id;
  const { worlds } = services;
  const named = requestedWorld(request);
  const name = isWorldName(named) ? named : DEFAULT_WORLD;
  const known = worlds.withIntactWorld(name, (world) => ({ caller: findKnownCaller(request, world) }));
  // A key of a missing world may create it.
  const caller = known ? known.caller : findKnownCaller(request, worlds.seed);
  return caller?.integration_id ?? address;
};

/**
 * Limits calls per minute for each key or, without a valid one, each address (D11). Runs before all other checks, so
 * refusals cost little.
 */
export const rateLimit = async (app: FastifyInstance, services: AppServices): Promise<void> => {
  const { callsPerMinute: max } = services;
  if (max === null) return;
  const { default: limiter, normalizeIP } = await import("@fastify/rate-limit");
  await app.register(limiter, { global: false });
  const keyGenerator = (request: FastifyRequest): string => rateLimitKey(request, services, normalizeIP(request.ip));
  const count = app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  /** End of the refusal for each token's developer machines, by the monotonic clock. */
  const refusedUntil = new Map<string, number>();
  const counted = async (request: FastifyRequest): Promise<number> => {
    const found = await count(request);
    return found.isAllowed || !found.isExceeded ? 0 : found.ttlInSeconds;
  };
  /**
   * Responses of developer machines are free, because the service requested them. Refused ones are counted afterwards.
   */
  const secondsToWait = async (request: FastifyRequest): Promise<number> => {
    if (!isListenResponse(request, services)) return counted(request);
    const until = refusedUntil.get(keyGenerator(request)) ?? 0;
    return Math.max(0, Math.ceil((until - performance.now()) / 1_000));
  };
  app.addHook("onRequest", async (request, reply) => {
    // The operator has no limit.
    if (isFree(request) || findTokenOwner(request, services)?.token === null) return;
    const seconds = await secondsToWait(request);
    if (seconds === 0) return;
    reply.header("retry-after", String(seconds));
    const message = `This sandbox takes ${max} calls a minute. Try again in ${seconds} s.`;
    return refuseUnrouted(request, reply, services, { kind: "rate_limited", code: "rate_limited", message });
  });
  app.addHook("onResponse", async (request, { statusCode }) => {
    if (statusCode < 400 || statusCode === 429 || statusCode >= 500 || !isListenResponse(request, services)) return;
    if (findTokenOwner(request, services)?.token === null) return;
    const seconds = await counted(request);
    if (seconds > 0) refusedUntil.set(keyGenerator(request), performance.now() + seconds * 1_000);
  });
};
