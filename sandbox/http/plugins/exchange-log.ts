import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { refusalReason, withFullReason } from "../../contract/causes.ts";
import { STRAY_BODY_BYTES } from "../../contract/control/activity-operations.ts";
import { isRefused, REFUSED_FROM } from "../../contract/control/exchange-kinds.ts";
import { aboutJob, aboutProcurement } from "../../operations/views.ts";
import { FAULT } from "../../rules/worlds/activity.ts";
import { findRespondingFault, isTestAnswer } from "../../rules/worlds/faults.ts";
import type { SeenCall } from "../../scenario/runs.ts";
import { parseResponse } from "../../scenario/scenario-client.ts";
import { maskAddress, maskBody, maskHeader, maskKnown, maskSecretBody, redactJson } from "../../secrets/masking.ts";
import { realTime } from "../../storage/real-time.ts";
import { type CallDetails, type ExchangeRecord, emptyCallDetails } from "../../storage/requests-store.ts";
import { findOrganizationName } from "../../storage/stores.ts";
import { LostChangesError, NotDurableError } from "../../storage/writer.ts";
import type { World } from "../../worlds/world.ts";
import { JSON_TYPE } from "../answers.ts";
import { type Replays, withoutMark } from "../replays.ts";

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
type RecordedResponse = { readonly body: string | Buffer } | null;

/** Retry interval for refused records, and the limit of records kept in memory; the oldest are kept. */
const RETRY_MS = 1_000;
const MAX_REFUSED = 1_000;

/** Records that the disk refused, for one epoch of a world. */
interface RefusedRecords {
  readonly epoch: number;
  readonly records: ExchangeRecord[];
}

type LogServices = Pick<AppServices, "worlds" | "runs" | "activity" | "onError">;

export class ExchangeLog {
  readonly #services: LogServices;
  readonly #replays: Replays;
  readonly #refused = new Map<string, RefusedRecords>();
  #again: NodeJS.Timeout | null = null;

  constructor(services: LogServices, replays: Replays) {
    this.#services = services;
    this.#replays = replays;
  }

  /** Records a call in the commit of its change. Call inside a write, once the response is ready. */
  writeWith(world: World, request: FastifyRequest, reply: FastifyReply, response: RecordedResponse): void {
    const { exchange } = request;
    if (!exchange || exchange.isStray) return;
    exchange.recorded = true;
    world.stores.requests.insert(this.#recordOf(world, request, reply, exchange, response));
  }

  /**
   * Records a call that isn't recorded yet. On a single machine, a record the disk refuses doesn't fail the call: it is
   * logged and retried.
   *
   * @returns undefined if there is nothing to wait for
   */
  write(request: FastifyRequest, reply: FastifyReply, response: RecordedResponse): Promise<void> | undefined {
    const { exchange } = request;
    if (!exchange) return undefined;
    const finish = (): void => {
      const status = response ? reply.statusCode : 0;
      if (status >= REFUSED_FROM || status === 0) this.#noteFailure(request, exchange, status);
      const { runs } = this.#services;
      if (runs.watching) runs.called(this.#toSeenCall(request, reply, exchange, response));
    };
    if (exchange.isStray) this.#keepStray(request, reply, exchange, response);
    else if (!exchange.recorded && !exchange.refused)
      return this.#record(request, reply, exchange, response).then(finish);
    finish();
    return undefined;
  }

  async #record(
    request: FastifyRequest,
    reply: FastifyReply,
    exchange: Exchange,
    response: RecordedResponse,
  ): Promise<void> {
    const { worlds, onError } = this.#services;
    try {
      await worlds.withIntactWorld(exchange.world, (world) =>
        world.note(() => this.writeWith(world, request, reply, response)),
      );
    } catch (error) {
      exchange.refused = true;
      // The response may show lost changes, unless it reports the loss itself.
      if (error instanceof LostChangesError && reply.statusCode < 500) throw error;
      onError(error);
      try {
        worlds.withIntactWorld(exchange.world, (world) =>
          this.#refuse(world, this.#recordOf(world, request, reply, exchange, response)),
        );
      } catch (closed) {
        // A world that stays closed because its disk fails can't record.
        if (!(closed instanceof NotDurableError)) throw closed;
      }
    }
  }

  #keepStray(request: FastifyRequest, reply: FastifyReply, exchange: Exchange, response: RecordedResponse): void {
    if (reply.statusCode < REFUSED_FROM) return;
    const { activity, worlds } = this.#services;
    const { details, world, startedAt } = exchange;
    const { operation, error_code } = details;
    const record = this.#recordOf(worlds.seed, request, reply, exchange, response);
    const { outcome, refused_for } = record;
    activity.keep({
      ...{ id: request.id, at: new Date(startedAt).toISOString(), world, operation, error_code },
      ...{ method: request.method, path: record.path, status: reply.statusCode },
      reason: (refused_for ? refusalReason(withFullReason(refused_for), null) : null) ?? (outcome || null),
      request_headers: headerList(request.raw.rawHeaders),
      request_body: record.request_body.subarray(0, STRAY_BODY_BYTES).toString("utf8"),
      response_body: record.response_body.toString("utf8"),
    });
  }

  /** Counts a failed call if it is or will be recorded. */
  #noteFailure({ id, headers }: FastifyRequest, exchange: Exchange, status: number): void {
    const { recorded, refused, world: name, startedAt, details } = exchange;
    if (!recorded && !refused) return;
    const { activity } = this.#services;
    const isFault = findRespondingFault({ ...details, status }) !== undefined || isTestAnswer({ ...details, status });
    const agent = headers["user-agent"];
    activity.note({
      ...{ world: name, at: startedAt, id, operation: details.operation },
      failure: {
        kind: "call",
        cause: isFault ? FAULT : (details.refused_for?.cause ?? details.unrouted ?? details.error_code),
        status,
        integration_id: details.integration_id,
        organization_name: this.#organizationOf(name, details.integration_id),
        side: details.side,
        user_agent: agent === undefined ? null : maskHeader("user-agent", agent),
        origin: this.#replays.findOriginal(id) !== null ? "replay" : (details.origin ?? "partner"),
      },
    });
  }

  #organizationOf(world: string, integrationId: string | null): string | null {
    try {
      const named = ({ stores }: World): string | null => findOrganizationName(stores, integrationId);
      return this.#services.worlds.withIntactWorld(world, named) ?? null;
    } catch {
      // A world that stays closed because its disk fails can't be read.
      return null;
    }
  }

  #refuse({ name, db }: World, record: ExchangeRecord): void {
    const known = this.#refused.get(name);
    const refused = known?.epoch === db.epoch ? known : { epoch: db.epoch, records: [] };
    if (refused.records.length < MAX_REFUSED) refused.records.push(record);
    this.#refused.set(name, refused);
    this.#again ??= setTimeout(() => void this.writeRefused(), RETRY_MS).unref();
  }

  /** Retries refused records. */
  async writeRefused(): Promise<void> {
    if (this.#again) clearTimeout(this.#again);
    this.#again = null;
    for (const [name, { epoch, records }] of [...this.#refused]) {
      this.#refused.delete(name);
      const written = this.#services.worlds.withIntactWorld(name, (world) => {
        const { requests } = world.stores;
        // A reset world needs none of them. A reopened one may already have some.
        const missing = world.db.epoch === epoch ? records.filter(({ id }) => !requests.get(id)) : [];
        return world
          .note(() => {
            for (const record of missing) requests.insert(record);
          })
          .catch(() => {
            for (const record of missing) this.#refuse(world, record);
          });
      });
      await written;
    }
  }

  #recordOf(
    world: World,
    request: FastifyRequest,
    reply: FastifyReply,
    exchange: Exchange,
    response: RecordedResponse,
  ): ExchangeRecord {
    const { details } = exchange;
    const status = response ? reply.statusCode : 0;
    if (details.job_id === null && isRefused({ status }))
      Object.assign(details, findSubject(world, exchange.requestBody, details.integration_id));
    const replaysId = this.#replays.findOriginal(request.id);
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
  }

  /** The unmasked call for step-by-step runs, because later steps need its secrets. */
  #toSeenCall(request: FastifyRequest, reply: FastifyReply, exchange: Exchange, response: RecordedResponse): SeenCall {
    const { id, url, method, headers } = request;
    const { world } = exchange;
    const { operation, origin } = exchange.details;
    const integration = headers["service-integration-id"];
    const sent = Object.fromEntries(response ? sentHeaders(reply) : []);
    return {
      ...{ world, control: false, operation, method, path: url.split("?", 1)[0] ?? url, trace_id: id },
      integration_id: typeof integration === "string" ? integration.toLowerCase() : null,
      reached: parseResponse(response ? reply.statusCode : null, sent, response ? String(response.body) : ""),
      origin: this.#replays.findOriginal(id) !== null ? "replay" : (origin ?? "partner"),
    };
  }
}

const sentHeaders = (reply: FastifyReply): [string, string][] =>
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

/** Records every partner call before its response is sent. */
export const exchangeLog = (app: FastifyInstance, services: AppServices, replays: Replays): ExchangeLog => {
  const log = new ExchangeLog(services, replays);
  app.decorateRequest("exchange", null);
  app.addHook("onClose", () => log.writeRefused());
  app.addHook("onSend", (request, reply, payload, done) => {
    const body = typeof payload === "string" || Buffer.isBuffer(payload) ? payload : "";
    const written = log.write(request, reply, { body });
    if (written === undefined) done(null, payload);
    else written.then(() => done(null, payload), done);
  });
  return log;
};
