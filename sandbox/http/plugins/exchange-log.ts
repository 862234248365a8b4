import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RequestRow } from "../../contract/control/rows.ts";
import type { ExchangeRecord } from "../../storage/requests-store.ts";
import type { AnsweredExchange } from "../../worlds/exchange-buffer.ts";
import type { Exchange } from "../exchange.ts";
import { maskAddress, maskBody, maskHeader, maskKnown } from "../masking.ts";
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
const keptBody = (body: Buffer, sensitive: boolean): Buffer => {
  const text = body.toString("utf8");
  const masked = maskKnown(sensitive ? maskBody(text) : text);
  return masked === text ? body : Buffer.from(masked);
};

const bytesOf = (body: Uint8Array | null): Buffer =>
  body === null ? Buffer.alloc(0) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

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

  #common() {
    const { operation, integration_id, side, error_code, outcome, events, faults, job_id, procurement_id, label } =
      this.#exchange;
    return {
      ...(faults ? { faults } : {}),
      ...(this.#replaysId === null ? {} : { replays_id: this.#replaysId }),
      id: this.#id,
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
    };
  }

  summary(): RequestRow {
    const { startedAt, requestBody, responseBody, sensitive } = this.#exchange;
    return {
      ...this.#common(),
      trace_id: this.#id,
      at: new Date(startedAt).toISOString(),
      request_bytes: keptBody(bytesOf(requestBody), sensitive).length,
      response_bytes: keptBody(Buffer.from(responseBody), sensitive).length,
    };
  }

  record(): Omit<ExchangeRecord, "seq"> {
    const { startedAt, requestBody, responseBody, sensitive } = this.#exchange;
    const headers = headerList(this.#requestHeaders);
    return {
      ...this.#common(),
      at: startedAt,
      request_headers: this.#replaysId === null ? headers : withoutMark(headers),
      request_body: keptBody(bytesOf(requestBody), sensitive),
      response_headers: Object.entries(this.#responseHeaders).map(([name, value]) => [name, String(value)]),
      response_body: keptBody(Buffer.from(responseBody), sensitive),
    };
  }
}

/** Keeps a call that was answered, or whose connection is closed instead. */
export type KeepExchange = (request: FastifyRequest, reply: FastifyReply, answered: boolean) => void;

/**
 * Keeps every exchange with a partner, secrets masked, after it was answered.
 *
 * @returns keeps one that is not
 */
export const exchangeLog = (app: FastifyInstance, replays: Replays): KeepExchange => {
  const keep: KeepExchange = (request, reply, answered) => {
    const { exchange } = request;
    if (exchange) exchange.world.exchanges.add(new Answered(request, reply, exchange, replays.take(request), answered));
  };
  app.decorateRequest("exchange", null);
  app.addHook("onResponse", (request, reply, done) => {
    keep(request, reply, true);
    done();
  });
  return keep;
};
