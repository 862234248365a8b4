import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { sendError } from "./answers.ts";
import type { AppServices } from "./app-services.ts";
import { errors } from "./plugins/errors.ts";
import { exchangeLog } from "./plugins/exchange-log.ts";
import { hostCheck } from "./plugins/host-check.ts";
import { tenantCheck } from "./plugins/tenant.ts";
import { controlRoutes } from "./routes/control.ts";
import { fileRoutes } from "./routes/explorer.ts";
import { healthRoutes } from "./routes/health.ts";
import { oauthRoutes } from "./routes/oauth.ts";
import { openApiRoutes } from "./routes/openapi.ts";
import { partnerRoutes } from "./routes/partner.ts";
import { mediaRoutes, uploadRoutes } from "./routes/uploads.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { answerUnreadable } from "./unreadable-requests.ts";

/** D6. */
const LARGEST_BODY_BYTES = 1024 * 1024;

/** The only assembly of the service's HTTP side, for production and tests. */
export const buildApp = async (services: AppServices): Promise<FastifyInstance> => {
  const app = Fastify({
    bodyLimit: LARGEST_BODY_BYTES,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    keepAliveTimeout: 72_000,
    // A caller that stalls half way through its request is cut off; the live feed is an answer and not concerned.
    requestTimeout: 30_000,
    connectionTimeout: 0,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket),
    frameworkErrors: (error, request, reply) => {
      const sent = reply as unknown as FastifyReply;
      sent.header("x-request-id", request.id);
      sendError(
        sent,
        "bad_request",
        error.code === "FST_ERR_BAD_URL" ? "The address cannot be read: its % escapes are broken." : error.message,
      );
    },
    http: { headersTimeout: 15_000, maxHeaderSize: 16_384 },
  });
  // The pipeline parses bodies itself, after credentials and scope were checked (D2).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  hostCheck(app, services);
  errors(app, services);
  exchangeLog(app, services);
  await app.register((scope, _options, done) => {
    tenantCheck(scope);
    partnerRoutes(scope, services);
    webhookRoutes(scope, services);
    done();
  });
  await app.register((scope, _options, done) => {
    controlRoutes(scope, services);
    done();
  });
  await app.register((scope, _options, done) => {
    uploadRoutes(scope, services);
    done();
  });
  oauthRoutes(app, services);
  openApiRoutes(app, services);
  healthRoutes(app, services);
  await fileRoutes(app, services);
  mediaRoutes(app, services);
  return app;
};
