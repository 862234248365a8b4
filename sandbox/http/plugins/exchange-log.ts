import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isRefused } from "../../contract/control/exchange-kinds.ts";
import type { Runs, SeenCall } from "../../scenario/runs.ts";
import { reachedBy } from "../../scenario/scenario-client.ts";
import type { ExchangeRecord } from "../../storage/requests-store.ts";
import type { AnsweredExchange } from "../../worlds/exchange-buffer.ts";
import type { Exchange } from "../exchange.ts";
import { maskAddress, maskBody, maskHeader, maskKnown, maskSecretBody } from "../masking.ts";
import { namedBy } from "../named.ts";
import { type Replays, withoutMark } from "../replays.ts";

/** A request's headers as they may be kept, in the order they came. */
export const headerList = (raw: readonly string[]): [string, string][] => {
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? "";
    list.push([name.toLowerCase(), maskHeader(name, raw[index + 1] ?? "")]);
  }
  return list;
};

/** A body as it may be kept: the very bytes where nothing in them is secret. */
const keptBody = (body: Buffer, mask: ((text: string) => string) | null): Buffer => {
  const text = body.toString("utf8");
  const masked = maskKnown(mask ? mask(text) : text);
  return masked === text ? body : Buffer.from(masked);
};

const bytesOf = (body: Uint8Array | null): Buffer =>
  body === null ? Buffer.alloc(0) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

/** What the headers of an exchange take, about: few and short beside what bodies may be. */
export const HEADERS_BYTES = 1_024;

/** Holds on to what an exchange was, without the connection it came over. */
class Answered implements AnsweredExchange {
  readonly #exchange: Exchange;
  readonly #replaysId: string | null;
  readonly #id: string;
  readonly #method: string;
  readonly #url: string;
  readonly #status: number;
  readonly #duration: number;
  readonly #requestHeaders: readonly string[];
  readonly #responseHeaders: Partial<ReturnType<FastifyReply["getHeaders"]>>;

  /** @param answered false: the connection is closed instead */
  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    exchange: Exchange,
    replaysId: string | null,
    answered: boolean,
  ) {
    this.#exchange = exchange;
    this.#replaysId = replaysId;
    this.#id = request.id;
    this.#method = request.method;
    this.#url = request.url;
    this.#status = answered ? reply.statusCode : 0;
    this.#duration = performance.now() - exchange.started;
    this.#requestHeaders = request.raw.rawHeaders;
    this.#responseHeaders = answered ? reply.getHeaders() : {};
  }

  get bytes(): number {
    return HEADERS_BYTES + (this.#exchange.requestBody?.byteLength ?? 0) + this.#exchange.responseBody.length;
  }

  record(): ExchangeRecord {
    const { startedAt, requestBody, responseBody, sensitive, faults, ...exchange } = this.#exchange;
    const { operation, integration_id, side, error_code, outcome, events, unrouted, origin, refusedFor } = exchange;
    const { job_id, procurement_id, label } =
      exchange.job_id === null && isRefused({ status: this.#status })
        ? namedBy(exchange.world, requestBody, integration_id)
        : exchange;
    const headers = headerList(this.#requestHeaders);
    const sent = bytesOf(requestBody);
    const maskSent = (text: string): string =>
      maskSecretBody(text, new Set(exchange.world.stores.credentials.clients().map(({ client_id }) => client_id)));
    const kept = keptBody(sent, sensitive ? maskSent : null);
    return {
      ...(faults ? { faults } : {}),
      ...(this.#replaysId === null ? {} : { replays_id: this.#replaysId }),
      ...(unrouted === null ? {} : { unrouted }),
      ...(origin === null ? {} : { origin }),
      ...(refusedFor === null ? {} : { refused_for: refusedFor }),
      id: this.#id,
      at: startedAt,
      method: this.#method,
      path: maskAddress(this.#url),
      operation,
      integration_id,
      side,
      status: this.#status,
      error_code,
      duration_ms: this.#duration,
      outcome,
      events,
      job_id,
      procurement_id,
      label,
      request_headers: this.#replaysId === null ? headers : withoutMark(headers),
      request_body: kept,
      body_masked: kept !== sent,
      response_headers: Object.entries(this.#responseHeaders).map(([name, value]) => [name, String(value)]),
      response_body: keptBody(Buffer.from(responseBody), sensitive ? maskBody : null),
    };
  }
}

/** Keeps a call that was answered, or whose connection is closed instead. */
export type KeepExchange = (request: FastifyRequest, reply: FastifyReply, answered: boolean) => void;

/** What an exchange was, as runs by hand look at it: with its secrets, which later steps need. */
const seenCall = (
  { id, url, method, headers }: FastifyRequest,
  reply: FastifyReply,
  { world, operation, origin, responseBody }: Exchange,
  replayed: boolean,
  answered: boolean,
): SeenCall => {
  const integration = headers["service-integration-id"];
  const sent = Object.entries(answered ? reply.getHeaders() : {}).map(([name, value]) => [name, String(value)]);
  return {
    ...{ world: world.name, control: false, operation, method, path: url.split("?", 1)[0] ?? url, trace_id: id },
    reads: false,
    integration_id: typeof integration === "string" ? integration.toLowerCase() : null,
    reached: reachedBy(answered ? reply.statusCode : null, Object.fromEntries(sent), responseBody),
    origin: replayed ? "replay" : (origin ?? "partner"),
  };
};

/**
 * Keeps every exchange with a partner, secrets masked, after it was answered, and shows it to runs by hand.
 *
 * @returns keeps one that is not
 */
export const exchangeLog = (app: FastifyInstance, replays: Replays, runs: Runs): KeepExchange => {
  const keep: KeepExchange = (request, reply, answered) => {
    const { exchange } = request;
    if (!exchange) return;
    const replayed = replays.replayedBy(request.id);
    exchange.world.exchanges.add(new Answered(request, reply, exchange, replayed, answered));
    if (runs.watching) runs.called(seenCall(request, reply, exchange, replayed !== null, answered));
  };
  app.decorateRequest("exchange", null);
  app.addHook("onResponse", (request, reply, done) => {
    keep(request, reply, true);
    done();
  });
  return keep;
};
