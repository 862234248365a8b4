import type { FastifyInstance } from "fastify";
import { sendJson } from "../answers.ts";
import type { AppServices } from "../app-services.ts";

/** `GET /__health`: 200 when the service can serve and write; something is written to its own file to find out. */
export const healthRoutes = (app: FastifyInstance, services: AppServices): void => {
  app.get("/__health", (_request, reply) => {
    services.worlds.checkWritable();
    return sendJson(reply, 200, JSON.stringify({ status: "ok" }));
  });
};
