import type { FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { refusalReason } from "../contract/causes.ts";
import type { LinkCall } from "../contract/control/exchange-kinds.ts";
import type { Refusal } from "../contract/errors.ts";
import { isUuid } from "../contract/schema.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";
import { findKnownCaller, findProvenOrigin } from "./callers.ts";
import { newExchange } from "./exchange.ts";

/**
 * Begins the record of a call at an address that the service issued. Its body isn't kept: it is a picture, or holds the
 * proof of a consent page. A world that doesn't exist isn't created; the service keeps the call if it is refused.
 *
 * @param world the world that the address names
 * @param isProven whether the address proves that the service issued it. Deployed, strangers leave no record
 */
export const beginLinkCall = (
  request: FastifyRequest,
  services: AppServices,
  operation: LinkCall,
  world: string,
  isProven: boolean,
): void => {
  const { worlds, placement, mode } = services;
  const { authorization } = request.headers;
  const caller =
    authorization === undefined ? undefined : worlds.withIntactWorld(world, (open) => findKnownCaller(request, open));
  if (mode === "deployed" && !isProven && !caller) return;
  const exchange = newExchange(world, operation, null);
  exchange.isStray = !placement && !worlds.isThere(world);
  Object.assign(exchange.details, caller, { origin: findProvenOrigin(request, services) ?? undefined });
  request.exchange = exchange;
};

const ESCAPED_WORLD = /(?:&amp;|\\u0026|%5Cu0026|%26)world=([^&%;\\]+)/i;
/** World that an address names after an escaped `&`, where it isn't read; undefined if there is none. */
export const findEscapedWorld = (url: string): string | undefined => {
  const name = ESCAPED_WORLD.exec(url)?.[1];
  return name !== undefined && isWorldName(name) ? name : undefined;
};

const UPLOAD_ID = /^\/__uploads\/([0-9a-f-]{36})(?![0-9a-f-])/i;
/** World that prepared the upload of an ID in lower case; undefined if no open world did. */
export const findWorldOfUpload = (id: string, { worlds }: Pick<AppServices, "worlds">): string | undefined =>
  isUuid(id) ? worlds.findOtherWorld("", ({ stores }) => stores.uploads.get(id) !== undefined) : undefined;

/** World that prepared the upload of an address, which lost its name; undefined if no open world did. */
export const findPreparingWorld = (url: string, services: Pick<AppServices, "worlds">): string | undefined =>
  findWorldOfUpload(UPLOAD_ID.exec(url)?.[1]?.toLowerCase() ?? "", services);

/** Adds the reason of a refusal to the record, if there is one. */
export const noteRefusal = ({ exchange }: FastifyRequest, { code, message, why }: Refusal): void => {
  if (!exchange) return;
  const outcome = message ?? refusalReason(why, null) ?? "";
  Object.assign(exchange.details, { error_code: code, outcome, ...(why ? { refused_for: why } : {}) });
};
