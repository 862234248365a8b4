import type { FastifyInstance, FastifyRequest } from "fastify";
import { listenAnswer } from "../../contract/control/receiver-operations.ts";
import { pathOf } from "../../contract/operation.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/world-name.ts";
import type { AppServices } from "../app-services.ts";
import { knownCaller, shownTo, worldNameOf } from "../callers.ts";
import { addressOf, OPERATION_PATHS, refuseUnrouted } from "../unrouted.ts";

const WINDOW_MS = 60_000;

/** Pages and pictures, which cost next to nothing, and whoever asks whether the service is well. */
const isFree = (request: FastifyRequest): boolean =>
  request.method === "GET" && !request.is404 && !OPERATION_PATHS.test(addressOf(request));

/** The operator is not limited, nor what a laptop answers: the service asked for it by sending, and would send it again. */
const isLetThrough = (request: FastifyRequest, services: AppServices): boolean => {
  const caller = shownTo(request, services);
  return caller !== null && (caller.token === null || addressOf(request) === pathOf(listenAnswer));
};

/** Whose calls are counted together: those with one world token, those with one valid key, and all others from one address. */
const countedFor = (request: FastifyRequest, services: AppServices): string => {
  const token = shownTo(request, services)?.token;
  if (token) return token.id;
  const { worlds } = services;
  const named = worldNameOf(request);
  const name = isWorldName(named) ? named : DEFAULT_WORLD;
  const known = worlds.lookIfIntact(name, (world) => ({ caller: knownCaller(request, world) }));
  // A key that is of no world that is there may make one.
  const caller = known ? known.caller : knownCaller(request, worlds.seed);
  return caller?.integration_id ?? request.ip;
};

/**
 * Refuses the calls beyond so many a minute of one key or, without a valid one, of one address (D11). Comes before
 * everything else of a call, so that what is refused costs little.
 */
export const rateLimit = async (app: FastifyInstance, services: AppServices): Promise<void> => {
  const { callsPerMinute: max } = services;
  if (max === null) return;
  const { default: limiter } = await import("@fastify/rate-limit");
  await app.register(limiter, { global: false });
  const keyGenerator = (request: FastifyRequest): string => countedFor(request, services);
  const count = app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  app.addHook("onRequest", async (request, reply) => {
    if (isFree(request) || isLetThrough(request, services)) return;
    const found = await count(request);
    if (found.isAllowed || !found.isExceeded) return;
    reply.header("retry-after", String(found.ttlInSeconds));
    const message = `This sandbox takes ${max} calls a minute. Try again in ${found.ttlInSeconds} s.`;
    return refuseUnrouted(request, reply, services, { kind: "rate_limited", code: "rate_limited", message });
  });
};
