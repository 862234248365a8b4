import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { errorCodes } from "../../contract/errors.ts";
import { NotDurableError } from "../../storage/writer.ts";
import { sendError, sendJson } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
import { maskAddress } from "../masking.ts";
import { isPlace, sendExplorer } from "../routes/explorer.ts";

const OPERATION_PATHS = /^\/(api|__extensions|__sandbox|__webhooks)\//;

const pathOf = (request: FastifyRequest): string => request.url.split("?", 1)[0] ?? request.url;

/** Which methods an address takes, or none when there is no such address. */
const methodsOf = (app: FastifyInstance, path: string): string[] =>
  (["POST", "GET", "PUT"] as const).filter((method) => app.hasRoute({ method, url: path }));

/** Unknown addresses, other methods, and everything unexpected (D5, D6, D12). */
export const errors = (app: FastifyInstance, services: AppServices): void => {
  app.setNotFoundHandler((request, reply) => {
    if (isPlace(request, services)) return sendExplorer(reply);
    const path = pathOf(request);
    const allowed = methodsOf(app, path);
    if (allowed.length > 0) {
      reply.header("allow", allowed.join(", "));
      sendError(reply, "method_not_allowed", `${path} takes ${allowed.join(" or ")}, not ${request.method}.`);
    } else {
      const what = OPERATION_PATHS.test(path) ? `There is no operation at ${path}` : `There is nothing at ${path}`;
      sendError(reply, "not_found", `${what}.`);
    }
    return reply;
  });

  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof NotDurableError) {
      services.log.error("a change could not be made durable", error.cause);
      sendError(reply, "storage_unavailable", error.message);
      return reply;
    }
    if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
      sendError(reply, "payload_too_large", "The body is larger than 1 MiB.");
      return reply;
    }
    if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
      sendError(reply, "unsupported_media_type", "Send the body as application/json.");
      return reply;
    }
    if (error.statusCode === 403 || error.statusCode === 404) {
      sendError(reply, "not_found", `There is nothing at ${maskAddress(pathOf(request))}.`);
      return reply;
    }
    if (error.statusCode !== undefined && error.statusCode < 500) {
      sendError(reply, "bad_request", error.message);
      return reply;
    }
    services.log.error(`${request.method} ${maskAddress(request.url)} failed`, error);
    const message =
      "Something unexpected happened and nothing was changed; the service's log has the details under this request_id.";
    return sendJson(
      reply,
      errorCodes.internal_error.status,
      JSON.stringify({ type: "internal_error", message, request_id: request.id }),
    );
  });
};
