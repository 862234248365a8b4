import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { errorCodes } from "../../contract/errors.ts";
import { parseTraceId, TRACEPARENT_HEADER, validTraceparent } from "../../rules/traceparent.ts";
import { maskAddress } from "../../secrets/masking.ts";
import { UnavailableWorldError } from "../../storage/unavailable-world.ts";
import { NotDurableError } from "../../storage/writer.ts";
import { NoSuchWorldError, TooManyWorldsError } from "../../worlds/world-errors.ts";
import { sendError, sendJson } from "../answers.ts";
import { findCutOff } from "../unreadable.ts";
import { recordCutOff, recordWorldless, refuseUnrouted, requestPath } from "../unrouted.ts";
import type { ExchangeLog } from "./exchange-log.ts";

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

/** Responses to errors of the framework, the storage and the program (D5, D6, D12). */
export const errors = (app: FastifyInstance, services: AppServices, log: ExchangeLog): void => {
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
    if (error.code === "ECONNRESET" && !request.raw.complete) {
      const cutOff = findCutOff(request);
      recordCutOff(request, reply, services, cutOff);
      reply.hijack();
      const written = log.write(request, reply.code(cutOff?.status ?? 400), cutOff && { body: "" });
      written?.catch(services.onError);
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
