import type { FastifyInstance, FastifyRequest } from "fastify";
import { DEFAULT_WORLD, isWorldName } from "../../rules/world-name.ts";
import type { AppServices } from "../app-services.ts";
import { knownCaller, originOf, worldNameOf } from "../callers.ts";
import { isAdmitted } from "../control-access.ts";
import { addressOf, OPERATION_PATHS, refuseUnrouted } from "../unrouted.ts";

const WINDOW_MS = 60_000;

/** Pages and pictures, which cost next to nothing, and whoever asks whether the service is well. */
const isFree = (request: FastifyRequest): boolean =>
  request.method === "GET" && !request.is404 && !OPERATION_PATHS.test(addressOf(request));

/** Whose calls are counted together: those with one valid key, and all others from one address. */
const countedFor = (request: FastifyRequest, { worlds }: AppServices): string => {
  const named = worldNameOf(request);
  const name = isWorldName(named) ? named : DEFAULT_WORLD;
  const caller = worlds.lookIfIntact(name, (world) => knownCaller(request, world));
  return caller ? `${name} ${caller.integration_id}` : request.ip;
};

/**
 * Refuses the calls beyond so many a minute of one key or, without a valid one, of one address (D11). Comes before
 * everything else of a call, so that what is refused costs little. Whoever shows a token of the control plane is not
 * limited: that is the explorer.
 */
export const rateLimit = async (app: FastifyInstance, services: AppServices): Promise<void> => {
  const { callsPerMinute: max } = services;
  if (max === null) return;
  const { default: limiter } = await import("@fastify/rate-limit");
  await app.register(limiter, { global: false });
  const keyGenerator = (request: FastifyRequest): string => countedFor(request, services);
  const count = app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  app.addHook("onRequest", async (request, reply) => {
    if (isFree(request) || isAdmitted(request, services) || originOf(request, services) !== null) return;
    const found = await count(request);
    if (found.isAllowed || !found.isExceeded) return;
    reply.header("retry-after", String(found.ttlInSeconds));
    const message = `This sandbox takes ${max} calls a minute. Try again in ${found.ttlInSeconds} s.`;
    return refuseUnrouted(request, reply, services, { kind: "rate_limited", code: "rate_limited", message });
  });
};
