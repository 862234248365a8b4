import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { causeOf } from "../../contract/causes.ts";
import { errorCodes, Refusal } from "../../contract/errors.ts";
import { pathOf } from "../../contract/operation.ts";
import { execute, type Result, readBody } from "../../operations/execute.ts";
import type { BoundHandler } from "../../operations/handler.ts";
import { partnerHandlers } from "../../operations/registry.ts";
import type { World } from "../../worlds/world.ts";
import { sendJson, sendRefusal } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
import { credentialsOf, knownCaller, observes, originOf, repeatedBy, worldNameOf } from "../callers.ts";
import { newExchange } from "../exchange.ts";
import type { FaultGate } from "../fault-gate.ts";

export const bodyOf = (request: FastifyRequest): Buffer | null => (Buffer.isBuffer(request.body) ? request.body : null);

/** The body where an operation has no code of its own for one that cannot be read (D3, D4, D14). */
export const readOf = (request: FastifyRequest): ReturnType<typeof readBody> =>
  readBody(
    {
      body: bodyOf(request),
      contentType: request.raw.headers["content-type"],
      contentEncoding: request.headers["content-encoding"],
    },
    "bad_request",
  );

/** In words, where the answer has none. */
const reasonOf = ({ code, why }: Refusal): string => (why ? causeOf(why.cause).says("") : errorCodes[code].meaning);

/** Records what came of a call, and lets its notifications leave. */
const note = ({ exchange }: FastifyRequest, result: Result, services: AppServices): void => {
  if (!exchange) return;
  const { value } = result;
  exchange.integration_id = result.integration_id;
  exchange.side = result.side;
  exchange.events = result.events;
  exchange.job_id = result.job_id;
  exchange.procurement_id = result.procurement_id;
  exchange.label = result.label;
  exchange.error_code = value instanceof Refusal ? value.code : null;
  exchange.outcome = value instanceof Refusal ? (value.message ?? reasonOf(value)) : result.outcome;
  exchange.refusedFor = value instanceof Refusal ? value.why : null;
  if (result.queued) services.deliveries.wake(exchange.world);
};

const send = (bound: BoundHandler, { value }: Result, { exchange }: FastifyRequest, reply: FastifyReply): void => {
  let text: string;
  if (value instanceof Refusal) text = sendRefusal(reply, value, bound.operation);
  else {
    text = bound.serialize ? bound.serialize(value as never) : JSON.stringify(value);
    sendJson(reply, 200, text);
  }
  if (exchange) exchange.responseBody = text;
};

/** The public contract and the extensions: one route an operation. */
export const partnerRoutes = (app: FastifyInstance, services: AppServices, gate: FaultGate): void => {
  for (const bound of partnerHandlers) {
    const { operation } = bound;

    const carryOut = (request: FastifyRequest, world: World, body: Buffer | null): Result | Promise<Result> =>
      execute(bound, {
        world,
        baseUrl: services.baseUrl(),
        traceId: request.id,
        idsFrom: repeatedBy(request, services) ?? request.id,
        signUpload: services.signUpload,
        credentials: credentialsOf(request),
        contentType: request.raw.headers["content-type"],
        contentEncoding: request.headers["content-encoding"],
        body,
      });

    app.post(pathOf(operation), (request, reply) => {
      const answer = (result: Result): void => {
        send(bound, result, request, reply);
        note(request, result, services);
      };
      const { worlds } = services;
      const withKey = (seed: World): boolean => operation.scope !== "none" && knownCaller(request, seed) !== null;
      const world = worlds.forCall(worldNameOf(request), withKey);
      const body = bodyOf(request);
      const unkept = worlds.isSeed(world) || observes(request, operation, services);
      const exchange = unkept ? null : newExchange(world, operation.id, body);
      if (exchange) {
        exchange.sensitive = operation.scope === "none";
        exchange.origin = originOf(request, services);
      }
      request.exchange = exchange;
      if (exchange && world.faults.armed) {
        return gate.pass({
          ...{ request, reply, exchange, operation },
          caller: operation.scope === "none" ? null : knownCaller(request, world),
          world: () => worlds.use(world.name),
          carryOut: (now: World) => carryOut(request, now, body),
          note: (result: Result) => note(request, result, services),
          answer,
        });
      }
      const result = carryOut(request, world, body);
      // A read is answered at once: a promise would only make it wait.
      return result instanceof Promise ? result.then(answer) : answer(result);
    });
  }
};
