import type { FastifyInstance } from "fastify";
import { DEFAULT_WORLD } from "../../rules/world-name.ts";
import { sendJson } from "../answers.ts";
import type { AppServices } from "../app-services.ts";

/** `GET /__health`: 200 when the service can serve and write; an empty commit is written to find out. */
export const healthRoutes = (app: FastifyInstance, services: AppServices): void => {
  app.get("/__health", async (_request, reply) => {
    await services.worlds.use(DEFAULT_WORLD).checkWritable();
    return sendJson(reply, 200, JSON.stringify({ status: "ok" }));
  });
};
