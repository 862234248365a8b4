import type { FastifyInstance } from "fastify";
import { isWorldName } from "../../rules/world-name.ts";
import type { AppServices } from "../app-services.ts";
import { TENANT_HEADER, worldNameOf } from "../callers.ts";
import { refuseUnrouted } from "../unrouted.ts";

/** D81: a tenant name that is none is refused before anything else of the call is looked at. */
export const tenantCheck = (app: FastifyInstance, services: AppServices): void => {
  app.addHook("onRequest", (request, reply, done) => {
    if (isWorldName(worldNameOf(request))) done();
    else {
      const message = `The header ${TENANT_HEADER} must be 1 to 64 of A–Z a–z 0–9 . _ -`;
      refuseUnrouted(request, reply, services, { kind: "tenant", code: "bad_request", message });
    }
  });
};
