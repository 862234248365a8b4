import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isRefused } from "../contract/control/exchange-kinds.ts";
import { aboutJob, aboutProcurement } from "../operations/views.ts";
import { maskAddress, maskBody, maskHeader, maskKnown, maskSecretBody, redactJson } from "../secrets/masking.ts";
import { realTime } from "../storage/real-time.ts";
import { type CallDetails, type ExchangeRecord, emptyCallDetails } from "../storage/requests-store.ts";
import type { World } from "../worlds/world.ts";
import { JSON_TYPE } from "./answers.ts";
import { withoutMark } from "./replays.ts";

/** A call in progress. */
export interface Exchange {
  readonly world: string;
  readonly startedAt: number;
  readonly started: number;
  readonly requestBody: Buffer | null;
  readonly details: CallDetails;
  /** True if the call is recorded, or will be with its change. */
  recorded: boolean;
  refused: boolean;
  /** True if the named world doesn't exist. The service then keeps the call if it is refused (D85). */
  isStray: boolean;
  /** True if the bodies contain secrets to mask. */
  sensitive: boolean;
}

/** @param ago milliseconds since the call began */
export const newExchange = (
  world: string,
  operation: string | null,
  requestBody: Buffer | null,
  ago = 0,
): Exchange => ({
  world,
  startedAt: realTime() - Math.round(ago),
  started: performance.now() - ago,
  requestBody,
  details: emptyCallDetails(operation),
  recorded: false,
  refused: false,
  isStray: false,
  sensitive: false,
});

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange | null;
  }
}

interface NamedSubject {
  readonly job_id: string | null;
  readonly procurement_id: string | null;
  readonly label: string | null;
}

const NO_SUBJECT: NamedSubject = { job_id: null, procurement_id: null, label: null };

const parseIdentity = (body: Uint8Array): { readonly id?: unknown; readonly external?: unknown } | undefined => {
  try {
    const { identity, job_identity } = JSON.parse(Buffer.from(body).toString("utf8"));
    return identity ?? job_identity;
  } catch {
    return undefined;
  }
};

/**
 * Job or procurement in the body of a refused call, regardless of caller and cause, so that its history lists the call.
 */
const findSubject = ({ stores }: World, body: Uint8Array | null, integrationId: string | null): NamedSubject => {
  const { id, external } = (body && parseIdentity(body)) ?? {};
  if (typeof id === "string") {
    const procurement = stores.procurements.get(id.toLowerCase());
    const job = procurement ? undefined : stores.jobs.get(id.toLowerCase());
    if (procurement) return aboutProcurement(procurement);
    return job ? { ...NO_SUBJECT, ...aboutJob(job) } : NO_SUBJECT;
  }
  const organization = integrationId && stores.credentials.findByIntegration(integrationId)?.organization_id;
  const job = typeof external === "string" && organization ? stores.jobs.find({ external }, organization) : undefined;
  return job ? { ...NO_SUBJECT, ...aboutJob(job) } : NO_SUBJECT;
};

/** Masked request headers in their original order. */
export const headerList = (raw: readonly string[]): [string, string][] => {
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? "";
    list.push([name.toLowerCase(), maskHeader(name, raw[index + 1] ?? "")]);
  }
  return list;
};

/** Last headers of a connection: raw, as masked JSON for each header, and as one JSON text. */
interface SentHeaders {
  readonly raw: readonly string[];
  readonly headers: readonly string[];
  readonly all: string;
}
/** Cache, because most headers repeat on a connection. */
const sentOver = new WeakMap<Socket, SentHeaders>();

/** JSON of {@link headerList}. */
const serializeHeaders = ({ socket, rawHeaders: raw }: IncomingMessage): string => {
  const last = sentOver.get(socket);
  const isSame = (index: number): boolean => last?.raw[index] === raw[index] && last?.raw[index + 1] === raw[index + 1];
  let known = last?.raw.length === raw.length;
  const headers: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const same = isSame(index) ? last?.headers[index / 2] : undefined;
    known &&= same !== undefined;
    headers.push(same ?? JSON.stringify(headerList([raw[index] ?? "", raw[index + 1] ?? ""])[0]));
  }
  if (known && last) return last.all;
  const all = `[${headers.join(",")}]`;
  sentOver.set(socket, { raw, headers, all });
  return all;
};

/** Masks a body; returns the original bytes if nothing in them is secret. */
const maskStoredBody = (body: Buffer | string, mask: ((text: string) => string) | null): Buffer => {
  const text = body.toString("utf8");
  const masked = maskKnown(mask ? mask(text) : text);
  return masked === text && Buffer.isBuffer(body) ? body : Buffer.from(masked);
};

const nothing = Buffer.alloc(0);

/** Recorded response; null if the connection closed without one. */
export type RecordedResponse = { readonly body: string | Buffer } | null;

export const sentHeaders = (reply: FastifyReply): [string, string][] =>
  Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);

/** JSON of the response headers. Fast path for the usual set, where only ID and length vary. */
const serializeResponseHeaders = (reply: FastifyReply): string => {
  const headers = Object.entries(reply.getHeaders());
  const [[first, id] = [], [second, type] = [], [third, length] = [], more] = headers;
  const isUsual = first === "x-request-id" && second === "content-type" && third === "content-length" && !more;
  return isUsual && type === JSON_TYPE
    ? `[["x-request-id","${id}"],["content-type","${JSON_TYPE}"],["content-length","${length}"]]`
    : JSON.stringify(sentHeaders(reply));
};

/** The record of a call, masked. @param replaysId the call it repeats; null if none */
export const toRecord = (
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  exchange: Exchange,
  response: RecordedResponse,
  replaysId: string | null,
): ExchangeRecord => {
  const { details } = exchange;
  const status = response ? reply.statusCode : 0;
  if (details.job_id === null && isRefused({ status }))
    Object.assign(details, findSubject(world, exchange.requestBody, details.integration_id));
  const sent = exchange.requestBody ?? nothing;
  const maskSent = (text: string): string =>
    maskSecretBody(text, new Set(world.stores.credentials.clients().map(({ client_id }) => client_id)));
  const storedBody = maskStoredBody(sent, exchange.sensitive ? maskSent : null);
  return {
    ...details,
    ...(replaysId === null ? {} : { replays_id: replaysId }),
    id: request.id,
    at: world.recordedAt(exchange.startedAt),
    method: request.method,
    path: maskAddress(request.url),
    status,
    duration_ms: performance.now() - exchange.started,
    outcome: maskKnown(details.outcome),
    ...(details.refused_for ? { refused_for: redactJson(details.refused_for, maskKnown) } : {}),
    request_headers:
      replaysId === null ? serializeHeaders(request.raw) : withoutMark(headerList(request.raw.rawHeaders)),
    request_body: storedBody,
    body_masked: storedBody !== sent,
    response_headers: response ? serializeResponseHeaders(reply) : "[]",
    response_body: response ? maskStoredBody(response.body, exchange.sensitive ? maskBody : null) : nothing,
  };
};
