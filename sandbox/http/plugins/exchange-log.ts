import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { findCause, refusalReason, withFullReason, withNextRemedy } from "../../contract/causes.ts";
import { STRAY_BODY_BYTES } from "../../contract/control/activity-operations.ts";
import { REFUSED_FROM } from "../../contract/control/exchange-kinds.ts";
import { FAULT } from "../../rules/worlds/activity.ts";
import { findRespondingFault, findTestValue } from "../../rules/worlds/faults.ts";
import { describeWorldRemedy } from "../../rules/worlds/world-name.ts";
import type { SeenCall } from "../../scenario/runs.ts";
import { parseResponse } from "../../scenario/scenario-client.ts";
import { maskHeader } from "../../secrets/masking.ts";
import type { ExchangeRecord } from "../../storage/requests-store.ts";
import { findOrganizationName } from "../../storage/stores.ts";
import { LostChangesError, NotDurableError } from "../../storage/writer.ts";
import type { World } from "../../worlds/world.ts";
import { type Exchange, headerList, type RecordedResponse, sentHeaders, toRecord } from "../exchange.ts";
import type { Replays } from "../replays.ts";

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
    world.stores.requests.insert(this.#toRecord(world, request, reply, exchange, response));
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
          this.#refuse(world, this.#toRecord(world, request, reply, exchange, response)),
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
    const record = this.#toRecord(worlds.seed, request, reply, exchange, response);
    const { outcome, refused_for } = record;
    const why = refused_for ? withFullReason(refused_for, () => true) : null;
    const { world: other, beside, remedy: remedyThere } = why?.elsewhere ?? {};
    const own = why?.remedy ?? (why?.next && findCause(why.cause)?.remedy);
    const remedy =
      other === undefined || beside || remedyThere ? own && withNextRemedy(own, why?.next) : describeWorldRemedy(other);
    activity.keep({
      ...{ id: request.id, at: new Date(startedAt).toISOString(), world, operation, error_code },
      ...{ method: request.method, path: record.path, status: reply.statusCode },
      reason: refusalReason(why, null) ?? (outcome || null),
      cause: why?.cause ?? details.unrouted ?? error_code,
      ...(remedy === undefined ? {} : { remedy }),
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
    const isFault =
      findRespondingFault({ ...details, status }) !== undefined || findTestValue({ ...details, status }) !== undefined;
    const agent = headers["user-agent"];
    const elsewhere = details.refused_for?.elsewhere;
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
        ...(details.refused_for?.side ? { whose_side: details.refused_for.side } : {}),
        ...(elsewhere && !elsewhere.beside ? { elsewhere: elsewhere.world } : {}),
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

  #toRecord(
    world: World,
    request: FastifyRequest,
    reply: FastifyReply,
    exchange: Exchange,
    response: RecordedResponse,
  ): ExchangeRecord {
    return toRecord(world, request, reply, exchange, response, this.#replays.findOriginal(request.id));
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
