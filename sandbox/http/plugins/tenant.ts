import type { FastifyInstance, FastifyRequest } from "fastify";
import { DEFAULT_WORLD, isWorldName } from "../../rules/world-name.ts";
import { sendError } from "../answers.ts";

const TENANT_HEADER = "x-sandbox-tenant";

/** D80: the world a partner's call is for. Valid once {@link tenantCheck} let it pass. */
export const worldNameOf = (request: FastifyRequest): string => {
  const header = request.headers[TENANT_HEADER];
  return typeof header === "string" ? header : DEFAULT_WORLD;
};

/** D81: a tenant name that is none is refused before anything else of the call is looked at. */
export const tenantCheck = (app: FastifyInstance): void => {
  app.addHook("onRequest", (request, reply, done) => {
    if (isWorldName(worldNameOf(request))) done();
    else sendError(reply, "bad_request", `The header ${TENANT_HEADER} must be 1 to 64 of A–Z a–z 0–9 . _ -`);
  });
};
