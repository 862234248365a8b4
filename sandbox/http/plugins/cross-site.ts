import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { refuseUnrouted } from "../unrouted.ts";

/** These change nothing; a link of another site may lead to the explorer or to the consent page. */
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a page of another site has a browser send this; programs say neither. */
const isForeign = ({ headers }: FastifyRequest, publicUrl: string | null): boolean => {
  if (headers["sec-fetch-site"] === "cross-site") return true;
  const { origin } = headers;
  if (origin === undefined || origin === `http://${headers.host}`) return false;
  return publicUrl === null || origin !== new URL(publicUrl).origin;
};

/** D90: what a page of another site sends changes nothing. The host check has made sure that the Host is the service's. */
export const crossSite = (app: FastifyInstance, services: AppServices): void => {
  const message = "Pages of other sites can’t change anything here. Call the service from a program.";
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404 || READS.has(request.method) || !isForeign(request, services.publicUrl)) done();
    else refuseUnrouted(request, reply, services, { kind: "host", code: "forbidden", message });
  });
};
