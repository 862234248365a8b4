import type { FastifyInstance } from "fastify";
import { sendRefusal } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
import { admit } from "../control-access.ts";

/** `GET /metrics`: figures as OpenMetrics text, for the operator's monitoring. Not there unless the service counts. */
export const measured = (app: FastifyInstance, services: AppServices): void => {
  const { metrics } = services;
  if (metrics === null) return;
  app.addHook("onResponse", (request, reply, done) => {
    // A stream lasts as long as its reader wants.
    const isStream = String(reply.getHeader("content-type")).startsWith("text/event-stream");
    if (!isStream) metrics.called(request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1_000);
    done();
  });
  app.get("/metrics", async (request, reply) => {
    const refused = admit(request, services);
    if (refused) return sendRefusal(reply, refused, null);
    return reply.type(metrics.contentType).send(await metrics.text());
  });
};
