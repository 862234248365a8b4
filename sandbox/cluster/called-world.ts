import type { FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { findKnownCaller, requestedWorld } from "../http/callers.ts";
import { requestPath } from "../http/unrouted.ts";
import { readField } from "../rules/json/untyped.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/worlds/world-name.ts";

/** Calls in the world that their header or address names. Those of the control plane name it in their body. */
const IN_A_WORLD = /^\/(api|__extensions|__webhooks|__uploads|__receiver|__oauth)\//;
/** Calls whose routes read only the header, or only the address. */
const BY_HEADER = /^\/(api|__extensions)\/|^\/__webhooks\/(?!sink$)/;
const BY_ADDRESS = /^\/(__uploads|__receiver)\//;
export const CONTROL = /^\/__sandbox\//;
/** Calls that may create that world: with a key in their headers, or by what is in their body. */
const BY_KEY = /^\/(api|__extensions)\//;
const BY_BODY = /^\/(__webhooks|__oauth)\//;

/** Whether a call may create the world that it names, where there is none (D85). */
export const mayMake = (request: FastifyRequest, { worlds }: AppServices): boolean => {
  const address = requestPath(request);
  return BY_KEY.test(address) ? findKnownCaller(request, worlds.seed) !== null : BY_BODY.test(address);
};

export const inQuery = ({ query }: FastifyRequest): unknown => readField(query, "world");

/** The world that a call is in, as its route finds it: balancers look into the address first, then into the header. */
export const namedIn = (request: FastifyRequest): unknown => {
  const address = requestPath(request);
  if (request.is404 || BY_HEADER.test(address)) return requestedWorld(request);
  return inQuery(request) ?? (BY_ADDRESS.test(address) ? DEFAULT_WORLD : requestedWorld(request));
};

export const isWorld = (name: unknown): name is string => typeof name === "string" && isWorldName(name);

/** The body of a consent names its world. */
export const isForm = (request: FastifyRequest): boolean =>
  request.method === "POST" && requestPath(request).startsWith("/__oauth/");

/** Whether a call is in the world that {@link namedIn} says. */
export const isInWorld = (request: FastifyRequest): boolean => {
  const address = requestPath(request);
  if (request.is404) return request.method !== "GET" && !CONTROL.test(address);
  return IN_A_WORLD.test(address) && !isForm(request);
};
