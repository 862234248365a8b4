import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { maskAddress, maskBody, maskHeader } from "../masking.ts";

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

const bytesOf = (body: Uint8Array | null, sensitive: boolean): Buffer => {
  if (body === null) return Buffer.alloc(0);
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return sensitive ? Buffer.from(maskBody(buffer.toString("utf8"))) : buffer;
};

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
    request_body: bytesOf(exchange.requestBody, exchange.sensitive),
    response_headers: answeredHeaders(reply),
    response_body: Buffer.from(exchange.sensitive ? maskBody(exchange.responseBody) : exchange.responseBody),
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
