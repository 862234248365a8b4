import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { maskAddress, maskBody, maskHeader, maskKnown } from "../masking.ts";

const headerList = (raw: readonly string[]): [string, string][] => {
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? "";
    list.push([name.toLowerCase(), maskHeader(name, raw[index + 1] ?? "")]);
  }
  return list;
};

const answeredHeaders = (reply: FastifyReply): [string, string][] =>
  Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);

/** A body as it may be kept: the very bytes where nothing in them is secret. */
const keptBody = (body: Buffer, sensitive: boolean): Buffer => {
  const text = body.toString("utf8");
  const masked = maskKnown(sensitive ? maskBody(text) : text);
  return masked === text ? body : Buffer.from(masked);
};

const bytesOf = (body: Uint8Array | null): Buffer =>
  body === null ? Buffer.alloc(0) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

const keep = (services: AppServices, request: FastifyRequest, reply: FastifyReply): void => {
  const { exchange } = request;
  if (!exchange) return;
  services.recorder.add(exchange.world, {
    id: request.id,
    trace_id: request.id,
    at: exchange.startedAt,
    method: request.method,
    path: maskAddress(request.url),
    operation: exchange.operation,
    integration_id: exchange.integration_id,
    side: exchange.side,
    status: reply.statusCode,
    error_code: exchange.error_code,
    duration_ms: performance.now() - exchange.started,
    request_headers: headerList(request.raw.rawHeaders),
    request_body: keptBody(bytesOf(exchange.requestBody), exchange.sensitive),
    response_headers: answeredHeaders(reply),
    response_body: keptBody(Buffer.from(exchange.responseBody), exchange.sensitive),
    outcome: exchange.outcome,
    events: exchange.events,
    job_id: exchange.job_id,
    procurement_id: exchange.procurement_id,
  });
};

/** Keeps every exchange with a partner, secrets masked, after it was answered. */
export const exchangeLog = (app: FastifyInstance, services: AppServices): void => {
  app.decorateRequest("exchange", null);
  app.addHook("onResponse", async (request, reply) => {
    keep(services, request, reply);
  });
};
