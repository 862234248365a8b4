import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { listenAnswer } from "../../contract/control/receiver-operations.ts";
import { operationPath } from "../../contract/operation.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/worlds/world-name.ts";
import { knownCaller, requestedWorld, shownTo } from "../callers.ts";
import { OPERATION_PATHS, refuseUnrouted, requestPath } from "../unrouted.ts";

const WINDOW_MS = 60_000;

/** Pages and pictures, which cost next to nothing, and whoever asks whether the service is well. */
const isFree = (request: FastifyRequest): boolean =>
  request.method === "GET" && !request.is404 && !OPERATION_PATHS.test(requestPath(request));

/** Of a token that is valid. */
const isAnswer = (request: FastifyRequest, services: AppServices): boolean =>
  requestPath(request) === operationPath(listenAnswer) && shownTo(request, services) !== null;

/**
 * Whose calls are counted together: those with one world token, those with one valid key, and all others from one address,
 * or from one network of IPv6, of which one customer has all addresses.
 */
const countedFor = (request: FastifyRequest, services: AppServices, address: string): string => {
  const token = shownTo(request, services)?.token;
  if (token) return token.id;
  const { worlds } = services;
  const named = requestedWorld(request);
  const name = isWorldName(named) ? named : DEFAULT_WORLD;
  const known = worlds.lookIfIntact(name, (world) => ({ caller: knownCaller(request, world) }));
  // A key that is of no world that is there may make one.
  const caller = known ? known.caller : knownCaller(request, worlds.seed);
  return caller?.integration_id ?? address;
};

/**
 * Refuses the calls beyond so many a minute of one key or, without a valid one, of one address (D11). Comes before
 * everything else of a call, so that what is refused costs little.
 */
export const rateLimit = async (app: FastifyInstance, services: AppServices): Promise<void> => {
  const { callsPerMinute: max } = services;
  if (max === null) return;
  const { default: limiter, normalizeIP } = await import("@fastify/rate-limit");
  await app.register(limiter, { global: false });
  const keyGenerator = (request: FastifyRequest): string => countedFor(request, services, normalizeIP(request.ip));
  const count = app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  /** Until when no answer of a token's laptops is taken, by the monotonic clock. */
  const refusedUntil = new Map<string, number>();
  const counted = async (request: FastifyRequest): Promise<number> => {
    const found = await count(request);
    return found.isAllowed || !found.isExceeded ? 0 : found.ttlInSeconds;
  };
  /** What a laptop answers is free, as the service asked for it by sending; what is refused of it is counted afterwards. */
  const secondsToWait = async (request: FastifyRequest): Promise<number> => {
    if (!isAnswer(request, services)) return counted(request);
    const until = refusedUntil.get(keyGenerator(request)) ?? 0;
    return Math.max(0, Math.ceil((until - performance.now()) / 1_000));
  };
  app.addHook("onRequest", async (request, reply) => {
    // The operator is not limited.
    if (isFree(request) || shownTo(request, services)?.token === null) return;
    const seconds = await secondsToWait(request);
    if (seconds === 0) return;
    reply.header("retry-after", String(seconds));
    const message = `This sandbox takes ${max} calls a minute. Try again in ${seconds} s.`;
    return refuseUnrouted(request, reply, services, { kind: "rate_limited", code: "rate_limited", message });
  });
  app.addHook("onResponse", async (request, { statusCode }) => {
    if (statusCode < 400 || statusCode === 429 || statusCode >= 500 || !isAnswer(request, services)) return;
    if (shownTo(request, services)?.token === null) return;
    const seconds = await counted(request);
    if (seconds > 0) refusedUntil.set(keyGenerator(request), performance.now() + seconds * 1_000);
  });
};
