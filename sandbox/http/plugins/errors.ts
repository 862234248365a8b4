import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { errorCodes } from "../../contract/errors.ts";
import { parseTraceId, TRACEPARENT_HEADER, validTraceparent } from "../../rules/traceparent.ts";
import { maskAddress } from "../../secrets/masking.ts";
import { UnavailableWorldError } from "../../storage/unavailable-world.ts";
import { NotDurableError } from "../../storage/writer.ts";
import { NoSuchWorldError, TooManyWorldsError } from "../../worlds/world-errors.ts";
import { sendError, sendJson } from "../answers.ts";
import { isExplorerAddress, isHelp, isOperationAddress, sendExplorer, sendNoHelp } from "../routes/explorer.ts";
import { OPERATION_PATHS, recordWorldless, refuseUnrouted, requestPath } from "../unrouted.ts";

/**
 * Collects all routes added later.
 *
 * @returns the methods of a path; empty for an unknown path. A parameter matches one segment
 */
const collectRoutes = (app: FastifyInstance): ((path: string) => string[]) => {
  const routes: { readonly pattern: RegExp; readonly method: string }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    // Wildcard routes serve files: a missing file is a 404, never a 405.
    if (url.includes("*")) return;
    const pattern = new RegExp(`^${url.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`);
    for (const one of [method].flat()) routes.push({ pattern, method: one });
  });
  return (path) => routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
};

/** Log fields of a call: the request ID in its response, and the caller's trace ID. */
const logFields = ({ id, headers }: FastifyRequest): Record<string, string> => {
  const trace_id = parseTraceId(validTraceparent(headers[TRACEPARENT_HEADER]));
  return { request_id: id, ...(trace_id === null ? {} : { trace_id }) };
};

const worldErrors = [
  [UnavailableWorldError, "world_unavailable"],
  [NoSuchWorldError, "no_such_world"],
  [TooManyWorldsError, "too_many_worlds"],
] as const;

/** Unknown addresses, wrong methods and unexpected errors (D5, D6, D12). */
export const errors = (app: FastifyInstance, services: AppServices): void => {
  const methodsOf = collectRoutes(app);
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (isHelp(requestPath(request))) return sendNoHelp(request, reply, services);
    if (isExplorerAddress(request, services)) return sendExplorer(reply);
    const path = requestPath(request);
    const allowed = methodsOf(path);
    if (allowed.length > 0) {
      reply.header("allow", allowed.join(", "));
      const message = `${path} takes ${allowed.join(" or ")}, not ${request.method}.`;
      return refuseUnrouted(request, reply, services, { kind: "method", code: "method_not_allowed", message });
    }
    const ofOperation = OPERATION_PATHS.test(path);
    const kind = ofOperation ? "unknown_operation" : "unknown_path";
    const message = ofOperation ? `No operation at ${path}.` : `Nothing at ${path}.`;
    return refuseUnrouted(request, reply, services, { kind, code: "not_found", message });
  };
  app.setNotFoundHandler(answerUnknown);
  // Path and method are checked first (D2). The not-found handler alone would read the body before. The route of the
  // explorer's files takes every address.
  app.addHook("onRequest", (request, reply, done) => {
    const isFile = request.routeOptions.url?.endsWith("*");
    if (request.is404 || (isFile && isOperationAddress(requestPath(request)))) answerUnknown(request, reply);
    else done();
  });

  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof NotDurableError) {
      // The commit with the record was rolled back.
      if (request.exchange) request.exchange.recorded = false;
      if (error.cause !== undefined)
        services.log.error("a change could not be made durable", error.cause, logFields(request));
      sendError(reply, "storage_unavailable", error.message);
      return reply;
    }
    if (error instanceof UnavailableWorldError)
      services.log.error("a world cannot be used", error.cause, logFields(request));
    const code = worldErrors.find(([kind]) => error instanceof kind)?.[1];
    if (code === "too_many_worlds") recordWorldless(request, reply, services, error.message);
    if (code !== undefined) {
      sendError(reply, code, error.message);
      return reply;
    }
    if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
      const most = (request.routeOptions.bodyLimit ?? 0) / 1024 / 1024;
      const message = `The body is larger than ${most} MiB.`;
      // A proxy that is still sending would return 502 instead, so the rest of the body is read and dropped.
      reply.removeHeader("connection");
      return refuseUnrouted(request, reply, services, { kind: "too_large", code: "payload_too_large", message });
    }
    if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
      sendError(reply, "unsupported_media_type", "Send the body as application/json.");
      return reply;
    }
    if (error.statusCode === 403 || error.statusCode === 404) {
      sendError(reply, "not_found", `Nothing at ${maskAddress(requestPath(request))}.`);
      return reply;
    }
    if (error.statusCode !== undefined && error.statusCode < 500) {
      const { message } = error;
      return refuseUnrouted(request, reply, services, { kind: "unreadable", code: "bad_request", message });
    }
    services.log.error(`${request.method} ${maskAddress(request.url)} failed`, error, logFields(request));
    const message =
      "Unexpected error. Check whether something was changed before you try again. The service’s log has the details under this request_id.";
    return sendJson(
      reply,
      errorCodes.internal_error.status,
      JSON.stringify({ type: "internal_error", message, request_id: request.id }),
    );
  });
};
