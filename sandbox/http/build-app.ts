import net, { type Socket } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { newId } from "../storage/new-id.ts";
import { sendJson, sendRefusal } from "./answers.ts";
import { findRepeatedTrace } from "./callers.ts";
import { admit } from "./control-access.ts";
import { FaultGate } from "./fault-gate.ts";
import { admission, detectHostFault, tenantCheck } from "./plugins/admission.ts";
import { errors } from "./plugins/errors.ts";
import { exchangeLog } from "./plugins/exchange-log.ts";
import { rateLimit } from "./plugins/rate-limit.ts";
import { Replays } from "./replays.ts";
import { controlRoutes } from "./routes/control.ts";
import { fileRoutes } from "./routes/explorer.ts";
import { oauthRoutes } from "./routes/oauth.ts";
import { openApiRoutes } from "./routes/openapi.ts";
import { partnerRoutes } from "./routes/partner.ts";
import { receiverRoutes } from "./routes/receivers.ts";
import { mediaRoutes, uploadRoutes } from "./routes/uploads.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { noteArriving, noteExchange, refuseExpectation, refuseUnreadable } from "./unreadable.ts";
import { findBrokenEscape, refuseUnrouted, requestPath } from "./unrouted.ts";

/** Plain form of a content type. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w.+-]+=[\w.+-]+)*$/;

/** D6. */
const MAX_BODY_BYTES = 1024 * 1024;

/** `GET /__health`: 200 if the service can serve and write. Writes to the service's own file to find out. */
const healthRoutes = (app: FastifyInstance, services: AppServices): void => {
  app.get("/__health", (_request, reply) => {
    services.worlds.checkWritable();
    return sendJson(reply, 200, JSON.stringify({ status: "ok" }));
  });
};

/** `GET /metrics`: OpenMetrics text for monitoring. Absent without metrics. */
const metricsRoutes = (app: FastifyInstance, services: AppServices): void => {
  const { metrics } = services;
  if (metrics === null) return;
  app.addHook("onResponse", (request, reply, done) => {
    // A stream's duration depends on its reader.
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

/**
 * The only assembly of the service's HTTP side, for production and tests.
 *
 * @returns `loopbackServer` doesn't listen yet and passes its connections to the app; `close` stops accepting and
 * finishes running calls
 */
export const buildApp = async (
  services: AppServices,
): Promise<{
  readonly app: FastifyInstance;
  readonly loopbackServer: net.Server;
  readonly close: () => Promise<void>;
}> => {
  const { limits } = services;
  const replays = new Replays();
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: (raw) => replays.findId(raw) ?? (services.keepsIds ? findRepeatedTrace(raw, services) : null) ?? newId(),
    requestIdHeader: false,
    keepAliveTimeout: limits.keepAliveMs,
    // Cuts off a caller that stalls in its request. Doesn't affect the live feed, which is a response.
    requestTimeout: limits.requestMs,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseUnreadable(services, error, socket),
    frameworkErrors: (error, request, reply) => {
      const sent = reply as unknown as FastifyReply;
      sent.header("x-request-id", request.id);
      const typedRequest = request as unknown as FastifyRequest;
      const path = requestPath(typedRequest);
      const broken = error.code === "FST_ERR_BAD_URL" ? findBrokenEscape(path) : undefined;
      // The router finds no route for these addresses (D5).
      const message = `Nothing at ${path}${broken === undefined ? "" : `: the escape ${broken} is broken`}.`;
      const text = JSON.stringify({ type: "not_found", message });
      refuseUnrouted(typedRequest, sent, services, { kind: "unknown_path", code: "not_found", message });
      // Hooks don't run for these errors.
      void exchanges.write(typedRequest, sent, { body: text });
    },
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: limits.headerBytes,
      // The admission refuses such calls, with a request ID (D12).
      requireHostHeader: false,
    },
    connectionTimeout: limits.inactiveMs,
    trustProxy: [...services.trustedProxies],
  });
  // Same socket options as Node's HTTP server.
  const asHttp = { allowHalfOpen: true, noDelay: true };
  const loopbackServer = net.createServer(asHttp, (socket) => void app.server.emit("connection", socket));
  for (const server of [app.server, loopbackServer]) server.maxConnections = limits.connections;
  // No header limit: Node would silently drop headers, possibly the credentials.
  app.server.maxHeadersCount = 0;
  app.server.on("checkExpectation", (_request, response) => refuseExpectation(response));
  // Handles pipelined calls one by one, after earlier responses were sent. A caller that reads no responses causes no
  // work.
  app.addHook("onRequest", (_request, { raw }, done) => {
    if (raw.socket) done();
    else raw.once("socket", () => done());
  });
  // The pipeline parses bodies itself, after credentials and scope (D2), and then checks their type (D4). The framework
  // would refuse unknown types earlier.
  app.addHook("onRequest", (request, _reply, done) => {
    const type = request.raw.headers["content-type"];
    if (type !== undefined && !MEDIA_TYPE.test(type))
      request.headers = { ...request.raw.headers, "content-type": "application/octet-stream" };
    done();
  });
  app.removeAllContentTypeParsers();
  // Registers JSON by name too: "*" parses the content type on every call.
  const types = ["application/json", "*"];
  app.addContentTypeParser(types, { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    noteArriving(request);
    done();
  });
  detectHostFault(app, services);
  services.placement?.first(app, services);
  await rateLimit(app, services);
  services.placement?.before(app, services);
  admission(app, services);
  const exchanges = exchangeLog(app, services, replays);
  errors(app, services, exchanges);
  services.placement?.after(app, services);
  const gate = new FaultGate(services.log, exchanges);
  // Tracks connections without a request, which Node counts as busy. Browsers open some in advance.
  const unused = new Set<Socket>();
  app.server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", (request, response) => {
    unused.delete(request.socket);
    noteExchange(request, response);
  });
  let isClosing = false;
  const closed = Promise.withResolvers<void>();
  app.addHook("preClose", async () => {
    isClosing = true;
    loopbackServer.close(() => closed.resolve());
    gate.releaseAll();
    for (const socket of unused) socket.destroy();
  });
  // Prevents kept-alive connections from delaying the stop.
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isClosing) reply.header("connection", "close");
    done(null, payload);
  });
  await app.register((scope, _options, done) => {
    tenantCheck(scope, services);
    partnerRoutes(scope, services, exchanges, gate);
    webhookRoutes(scope, services);
    done();
  });
  await app.register((scope, _options, done) => {
    controlRoutes(scope, services, replays);
    done();
  });
  await app.register((scope, _options, done) => {
    uploadRoutes(scope, services, exchanges);
    done();
  });
  receiverRoutes(app, services);
  oauthRoutes(app, services);
  openApiRoutes(app, services);
  healthRoutes(app, services);
  metricsRoutes(app, services);
  await fileRoutes(app, services);
  mediaRoutes(app, services);
  const close = async (): Promise<void> => {
    const closing = app.close();
    const timer = setTimeout(() => app.server.closeAllConnections(), limits.stopMs);
    await Promise.all([closing, closed.promise]).finally(() => clearTimeout(timer));
  };
  return { app, loopbackServer, close };
};
