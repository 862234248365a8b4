import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { refusalReason, refuseFor, withNext } from "../../contract/causes.ts";
import type { webhookCalls } from "../../contract/control/exchange-kinds.ts";
import { requiresCredentials } from "../../contract/control/policies.ts";
import { sideLabels } from "../../contract/control/rows.ts";
import { errorCodes, Refusal, type RefusalReason } from "../../contract/errors.ts";
import { valueAt } from "../../contract/json-pointer.ts";
import { findAuthenticationCause } from "../../operations/authenticate.ts";
import { correctBody } from "../../operations/corrected-body.ts";
import { refineSubscriber, subscription } from "../../operations/credential-causes.ts";
import { findFinerCause } from "../../operations/finer-cause.ts";
import { MAX_READ_BYTES, parseBody } from "../../operations/validation.ts";
import { isWorldName } from "../../rules/worlds/world-name.ts";
import type { CallDetails } from "../../storage/requests-store.ts";
import { evaluateSubscription, subscribe } from "../../webhooks/subscriptions.ts";
import type { World } from "../../worlds/world.ts";
import { acknowledge, sendJson } from "../answers.ts";
import { findKnownCaller, findProvenOrigin, requestCredentials, requestedWorld } from "../callers.ts";
import { newExchange } from "../exchange.ts";
import { rawBody, readRequestBody, readSurroundings } from "./partner.ts";
import { toArrival } from "./receivers.ts";

/** A response, and details for its record. */
interface WebhookResponse {
  readonly status: number;
  readonly body: object;
  readonly details: Partial<CallDetails>;
}

const toRefusedResponse = ({ code, message, why }: Refusal): WebhookResponse => ({
  status: errorCodes[code].status,
  body: { type: code, message },
  details: {
    outcome: message ?? refusalReason(why, null) ?? "",
    error_code: code,
    ...(why ? { refused_for: why } : {}),
  },
});

/** Returns true for D4's refusals. An unparsable body of another type gets the subscription's own response. */
const isOfOtherType = (read: ReturnType<typeof readRequestBody>, request: FastifyRequest): read is Refusal =>
  read instanceof Refusal &&
  read.code === "unsupported_media_type" &&
  (read.why?.cause !== "media_type" || "value" in parseBody(rawBody(request)));

/** Record details of a call with unknown credentials. */
const unauthorized = (world: World, request: FastifyRequest, services: AppServices): WebhookResponse["details"] => {
  const credentials = requestCredentials(request);
  const refusal = refuseFor(findAuthenticationCause(credentials));
  const why = findFinerCause(refusal, {
    ...{ world, named: requestedWorld(request), credentials },
    ...{ input: undefined, caller: null },
    ...readSurroundings(services, request, world),
  });
  return { error_code: "unauthorized", ...(why ? { refused_for: why } : {}) };
};

/** Record details of a subscription without credentials that its world asks for. */
const unauthorizedSubscriber = (
  world: World,
  request: FastifyRequest,
  services: AppServices,
  ownKeys: boolean,
): WebhookResponse["details"] => {
  const { refused_for: why, ...details } = unauthorized(world, request, services);
  return { ...details, ...(why ? { refused_for: refineSubscriber(why, world.policies, ownKeys) } : {}) };
};

/** Addresses that the service may send to, and its own. */
const addresses = ({ mode, receiverHosts, allowHosts, baseUrl }: AppServices) => ({
  ...{ mode, receiverHosts, allowHosts },
  origin: baseUrl(),
});

/** Refusal of the URL alone, also under another name; null if it is allowed or missing. */
const findUrlProblem = (world: World, input: unknown, services: AppServices): RefusalReason | null => {
  const url = valueAt(correctBody(subscription, input).body, "/url");
  const ofUrl = evaluateSubscription(world, addresses(services), { value: { integration_id: randomUUID(), url } });
  return "reason" in ofUrl && ofUrl.reason !== "missing_field" ? ofUrl.why : null;
};

const subscribeTo = async (world: World, request: FastifyRequest, services: AppServices): Promise<WebhookResponse> => {
  // Uses the request's world name, because `world` is the seed if that world doesn't exist.
  const ownKeys = services.access.findKeys(requestedWorld(request)) !== undefined;
  const isAsked = requiresCredentials(world.policies, ownKeys);
  const caller = isAsked ? findKnownCaller(request, world) : null;
  if (isAsked && caller === null)
    return {
      status: 401,
      body: { ok: false, reason: "unauthorized" },
      details: unauthorizedSubscriber(world, request, services, ownKeys),
    };
  const read = readRequestBody(request);
  if (isOfOtherType(read, request)) return toRefusedResponse(read);
  const by = {
    ...addresses(services),
    quotas: services.quotas,
    traceId: request.id,
    caller: caller?.integration_id ?? null,
  };
  const done = await subscribe(world, by, read);
  if ("reason" in done) {
    const { reason } = done;
    const call = { world, named: requestedWorld(request), credentials: requestCredentials(request), caller: null };
    const input = read instanceof Refusal ? undefined : read.value;
    const refined = findFinerCause(done, { ...call, input });
    const isRead = reason === "missing_field" && (rawBody(request)?.length ?? 0) <= MAX_READ_BYTES;
    const why = refined && isRead ? withNext(refined, findUrlProblem(world, input, services)) : refined;
    const outcome = refusalReason(why, null) ?? (read instanceof Refusal ? (read.message ?? "") : "");
    const details = { ...caller, outcome, error_code: reason, ...(why ? { refused_for: why } : {}) };
    return { status: reason === "unauthorized" ? 401 : 400, body: { ok: false, reason }, details };
  }
  const subscriber = world.stores.credentials.findByIntegration(done.integration_id);
  const outcome = subscriber ? `${sideLabels[subscriber.scope]} subscribed` : "subscribed";
  return { status: 200, body: { ok: true }, details: { ...caller, outcome } };
};

const revealSecret = (world: World, request: FastifyRequest, services: AppServices): WebhookResponse => {
  const known = findKnownCaller(request, world);
  const credential = known && world.stores.credentials.findByIntegration(known.integration_id);
  if (!credential)
    return { status: 401, body: { type: "unauthorized" }, details: unauthorized(world, request, services) };
  const read = readRequestBody(request);
  if (read instanceof Refusal) return toRefusedResponse(read);
  const { integration_id, scope: side, webhook_secret: secret } = credential;
  return {
    status: 200,
    body: { integration_id, secret },
    details: { outcome: "read only", integration_id, side },
  };
};

/** Contract, "Subscription" and "Reference sink"; the secret is an extension (D26). */
export const webhookRoutes = (app: FastifyInstance, services: AppServices): void => {
  /** @param mayMake whether the call may create a missing world, checked against the seed (D85) */
  const route = (
    id: (typeof webhookCalls)[number],
    carryOut: (world: World, request: FastifyRequest) => WebhookResponse | Promise<WebhookResponse>,
    mayMake: (seed: World, request: FastifyRequest) => boolean,
  ): void => {
    app.post(`/__${id.replace(".", "/")}`, (request, reply) =>
      services.worlds.forCall(
        requestedWorld(request),
        (seed) => mayMake(seed, request),
        async (world) => {
          const exchange = newExchange(requestedWorld(request), id, rawBody(request));
          exchange.isStray = services.worlds.isSeed(world);
          exchange.sensitive = id === "webhooks.secret";
          exchange.details.origin = findProvenOrigin(request, services) ?? undefined;
          request.exchange = exchange;
          const { status, body, details } = await carryOut(world, request);
          Object.assign(exchange.details, details);
          return sendJson(reply, status, JSON.stringify(body));
        },
      ),
    );
  };

  route(
    "webhooks.subscribe",
    (world, request) => subscribeTo(world, request, services),
    (seed, request) => {
      const read = readRequestBody(request);
      return !isOfOtherType(read, request) && !("reason" in evaluateSubscription(seed, addresses(services), read));
    },
  );
  route(
    "webhooks.secret",
    (world, request) => revealSecret(world, request, services),
    (seed, request) => findKnownCaller(request, seed) !== null,
  );

  // Not recorded as a call, because the notification is already recorded as a delivery.
  app.post("/__webhooks/sink", async (request, reply) => {
    const { world } = request.query as { readonly world?: unknown };
    const name = typeof world === "string" && isWorldName(world) ? world : requestedWorld(request);
    const { status, body } = await services.sink.receive(toArrival(request), name);
    return acknowledge(reply, status, body);
  });
};
