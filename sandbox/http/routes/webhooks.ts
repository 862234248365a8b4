import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { reasonOf } from "../../contract/causes.ts";
import type { webhookCalls } from "../../contract/control/fault-rows.ts";
import type { Side } from "../../contract/control/rows.ts";
import { errorCodes, Refusal, type RefusedFor } from "../../contract/errors.ts";
import { whyUnknown } from "../../operations/authenticate.ts";
import { parseBody } from "../../operations/validation.ts";
import type { CredentialRow } from "../../storage/credentials-store.ts";
import {
  acceptable,
  type Subscribing,
  subscribe,
  subscribedOutcome,
  whyRefused,
} from "../../webhooks/subscriptions.ts";
import type { World } from "../../worlds/world.ts";
import { sendJson } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
import { credentialsOf, knownCaller, originOf, worldNameOf } from "../callers.ts";
import { newExchange } from "../exchange.ts";
import type { FaultGate, KnownCaller } from "../fault-gate.ts";
import { bodyOf, readOf } from "./partner.ts";
import { arrivalOf } from "./receivers.ts";

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly outcome: string;
  readonly error_code?: string;
  readonly why?: RefusedFor | null;
  /** Who it was for, where credentials said so. */
  readonly caller?: { readonly integration_id: string; readonly side: Side };
}

const note = ({ exchange }: FastifyRequest, { outcome, error_code, why = null, caller }: Answer): void => {
  if (!exchange) return;
  exchange.outcome = outcome;
  exchange.error_code = error_code ?? null;
  exchange.refusedFor = why;
  if (caller) Object.assign(exchange, caller);
};

const send = (reply: FastifyReply, { status, body }: Answer): FastifyReply =>
  sendJson(reply, status, JSON.stringify(body));

const refusedBy = ({ code, message, why }: Refusal): Answer => ({
  status: errorCodes[code].status,
  body: { type: code, message },
  outcome: message ?? reasonOf(why, null) ?? "",
  error_code: code,
  why,
});

/** A subscription has its own answer to any other body that cannot be read (D4). */
const refusedType = (request: FastifyRequest): Refusal | null => {
  const read = readOf(request);
  return read instanceof Refusal && read.code === "unsupported_media_type" ? read : null;
};

/** Whose address it is to be; a subscription takes no credentials. */
const subscriberOf = (world: World, sent: Buffer | null): CredentialRow | undefined => {
  const parsed = parseBody(sent);
  const id = "value" in parsed ? (parsed.value as { readonly integration_id?: unknown }).integration_id : undefined;
  return typeof id === "string" ? world.stores.credentials.byIntegration(id.toLowerCase()) : undefined;
};

const subscribeTo = async (world: World, by: Subscribing, sent: Buffer | null): Promise<Answer> => {
  const parsed = parseBody(sent);
  const { status, body } = await subscribe(world, by, parsed);
  if (body.ok) {
    return { status, body, outcome: subscribedOutcome(subscriberOf(world, sent)) };
  }
  const why = whyRefused(body.reason, parsed);
  const outcome = "problem" in parsed ? parsed.problem : (reasonOf(why, null) ?? "");
  return { status, body, outcome, error_code: body.reason, why };
};

const secretOf = (world: World, request: FastifyRequest): Answer => {
  const known = knownCaller(request, world);
  const credential = known && world.stores.credentials.byIntegration(known.integration_id);
  if (!credential) {
    const code = "unauthorized";
    const why: RefusedFor = { cause: whyUnknown(credentialsOf(request)), pointers: [] };
    return { status: errorCodes[code].status, body: { type: code }, outcome: "", error_code: code, why };
  }
  const read = readOf(request);
  if (read instanceof Refusal) return refusedBy(read);
  const { integration_id, scope: side, webhook_secret: secret } = credential;
  return {
    status: 200,
    body: { integration_id, secret },
    outcome: "read only",
    caller: { integration_id, side },
  };
};

/** Contract, "Subscription" and "Reference sink"; the secret is an extension (D26). */
export const webhookRoutes = (app: FastifyInstance, services: AppServices, gate: FaultGate): void => {
  const route = (
    id: (typeof webhookCalls)[number],
    carryOut: (world: World, request: FastifyRequest) => Answer | Promise<Answer>,
    callerOf: (world: World, request: FastifyRequest) => KnownCaller,
    mayMake: (seed: World, request: FastifyRequest) => boolean,
  ): void => {
    const noted = async (request: FastifyRequest, world: World): Promise<Answer> => {
      const result = await carryOut(world, request);
      note(request, result);
      return result;
    };

    app.post(`/__${id.replace(".", "/")}`, async (request, reply) => {
      const { worlds } = services;
      const faulty = await worlds.forCall(
        worldNameOf(request),
        (seed) => mayMake(seed, request),
        async (world) => {
          const exchange = worlds.isSeed(world) ? null : newExchange(world.name, id, bodyOf(request));
          request.exchange = exchange;
          if (exchange) {
            exchange.sensitive = id === "webhooks.secret";
            exchange.origin = originOf(request, services);
            const met = world.faults.armed ? gate.meet(world, request, exchange, callerOf(world, request)) : null;
            if (met) return { met, exchange };
          }
          send(reply, await noted(request, world));
          return null;
        },
      );
      if (faulty)
        await gate.pass(faulty.met, {
          ...{ request, reply, exchange: faulty.exchange, operation: null },
          carryOut: () => worlds.use(faulty.exchange.world, (world) => noted(request, world)),
          answer: (result: Answer) => send(reply, result),
        });
      return reply;
    });
  };

  route(
    "webhooks.subscribe",
    (world, request) => {
      const refusal = refusedType(request);
      if (refusal) return refusedBy(refusal);
      const { mode, quotas } = services;
      const by = { mode, quotas, origin: services.baseUrl(), traceId: request.id };
      return subscribeTo(world, by, bodyOf(request));
    },
    (world, request) => {
      const subscriber = subscriberOf(world, bodyOf(request));
      return subscriber ? { integration_id: subscriber.integration_id, side: null } : null;
    },
    (seed, request) => refusedType(request) === null && acceptable(seed, services.mode, parseBody(bodyOf(request))),
  );

  // A notification that arrives here has its own record as a delivery; listing it as a request too would say it twice.
  app.post("/__webhooks/sink", async (request, reply) => {
    const { status, body } = services.sink.receive(arrivalOf(request));
    return send(reply, { status, body, outcome: "" });
  });

  route(
    "webhooks.secret",
    (world, request) => secretOf(world, request),
    (world, request) => knownCaller(request, world),
    (seed, request) => knownCaller(request, seed) !== null,
  );
};
