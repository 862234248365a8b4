// Finds the world that a call names, before its route runs.
import type { FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { findKnownCaller, requestedWorld } from "../http/callers.ts";
import { requestPath } from "../http/unrouted.ts";
import { readField } from "../rules/json/untyped.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/worlds/world-name.ts";

/** Calls whose header or address names their world. Control calls name it in their body. */
const IN_A_WORLD = /^\/(api|__extensions|__webhooks|__uploads|__receiver|__oauth)\//;
/** Routes that read the world only from the header, or only from the address. */
const BY_HEADER = /^\/(api|__extensions)\/|^\/__webhooks\/(?!sink$)/;
const BY_ADDRESS = /^\/(__uploads|__receiver)\//;
export const CONTROL_PATH = /^\/__sandbox\//;
/** Calls that may create their world: if their header has a known key, or depending on their body. */
const BY_KEY = /^\/(api|__extensions)\//;
const BY_BODY = /^\/(__webhooks|__oauth)\//;

/** Returns true if a call may create the missing world that it names (D85). */
export const canCreateWorld = (request: FastifyRequest, { worlds }: AppServices): boolean => {
  const address = requestPath(request);
  return BY_KEY.test(address) ? findKnownCaller(request, worlds.seed) !== null : BY_BODY.test(address);
};

export const readQueryWorld = ({ query }: FastifyRequest): unknown => readField(query, "world");

/** Returns a call's world as its route reads it. Like balancers, it prefers the address to the header. */
export const findCalledWorld = (request: FastifyRequest): unknown => {
  const address = requestPath(request);
  if (request.is404 || BY_HEADER.test(address)) return requestedWorld(request);
  return readQueryWorld(request) ?? (BY_ADDRESS.test(address) ? DEFAULT_WORLD : requestedWorld(request));
};

export const isValidWorld = (name: unknown): name is string => typeof name === "string" && isWorldName(name);

/** Consent forms name their world in the body. */
export const isConsentForm = (request: FastifyRequest): boolean =>
  request.method === "POST" && requestPath(request).startsWith("/__oauth/");

/** Returns true if a call belongs to the world that {@link findCalledWorld} returns. */
export const isInWorld = (request: FastifyRequest): boolean => {
  const address = requestPath(request);
  if (request.is404) return request.method !== "GET" && !CONTROL_PATH.test(address);
  return IN_A_WORLD.test(address) && !isConsentForm(request);
};
