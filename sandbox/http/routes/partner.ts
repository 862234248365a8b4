import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorCodes, Refusal } from "../../contract/errors.ts";
import { pathOf } from "../../contract/operation.ts";
import type { CredentialHeaders } from "../../operations/authenticate.ts";
import { type Call, execute, type Result, readBody } from "../../operations/execute.ts";
import type { BoundHandler } from "../../operations/handler.ts";
import { partnerHandlers } from "../../operations/registry.ts";
import { TRACEPARENT_HEADER, validTraceparent } from "../../rules/traceparent.ts";
import type { Met } from "../../worlds/faults.ts";
import type { World } from "../../worlds/world.ts";
import { headJson, refusalText, sendJson } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
import { credentialsOf, knownCaller, observedAs, observes, originOf, repeatedBy, worldNameOf } from "../callers.ts";
import type { FaultGate } from "../fault-gate.ts";
import { type Exchange, type ExchangeLog, newExchange } from "../plugins/exchange-log.ts";

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

const textOf = ({ operation, serialize }: BoundHandler, { value }: Result): string => {
  if (value instanceof Refusal) return refusalText(value, operation);
  return serialize ? serialize(value as never) : JSON.stringify(value);
};

const statusOf = ({ value }: Result): number => (value instanceof Refusal ? errorCodes[value.code].status : 200);

/** The public contract and the extensions: one route an operation. */
export const partnerRoutes = (app: FastifyInstance, services: AppServices, log: ExchangeLog, gate: FaultGate): void => {
  const { worlds, deliveries } = services;
  for (const bound of partnerHandlers) {
    const { operation } = bound;
    const withKey = (seed: World, request: FastifyRequest): boolean =>
      operation.scope !== "none" && knownCaller(request, seed) !== null;

    const carryOut = (
      request: FastifyRequest,
      world: World,
      record?: Call["record"],
      credentials = credentialsOf(request),
    ): Result | Promise<Result> =>
      execute(bound, {
        world,
        named: worldNameOf(request),
        baseUrl: services.baseUrl(),
        traceId: request.id,
        traceparent: validTraceparent(request.headers[TRACEPARENT_HEADER]),
        idsFrom: repeatedBy(request, services) ?? request.id,
        signUpload: services.signUpload,
        credentials,
        contentType: request.raw.headers["content-type"],
        contentEncoding: request.headers["content-encoding"],
        body: bodyOf(request),
        elsewhere: (is) => worlds.otherWith(worldNameOf(request), is),
        ...(record ? { record } : {}),
      });

    const answer = (request: FastifyRequest, reply: FastifyReply, world: World, result: Result): FastifyReply => {
      if (result.queued) deliveries.wake(world);
      if (request.exchange && !request.exchange.recorded) Object.assign(request.exchange.said, result.said);
      return sendJson(reply, statusOf(result), textOf(bound, result));
    };

    /** The answer is put together and recorded in the commit of what the call changed. */
    const answerRecorded = (
      request: FastifyRequest,
      reply: FastifyReply,
      world: World,
      credentials?: CredentialHeaders,
    ): FastifyReply | Promise<FastifyReply> => {
      let text: string | undefined;
      const record: Call["record"] = (done) => {
        if (request.exchange) Object.assign(request.exchange.said, done.said);
        text = textOf(bound, done);
        headJson(reply, statusOf(done), text);
        log.writeWith(world, request, reply, { body: text });
      };
      const result = carryOut(request, world, record, credentials);
      if (!(result instanceof Promise)) {
        const { confirming } = world;
        // What is put on record waits for it there.
        if (confirming && !request.exchange) return confirming.then(() => answer(request, reply, world, result));
        return answer(request, reply, world, result);
      }
      return result.then((done) => {
        if (text === undefined) return answer(request, reply, world, done);
        if (done.queued) deliveries.wake(world);
        return reply.send(text);
      });
    };

    /** Held up, replaced or cut off by faults: a call may wait for long, and works in its world only in between. */
    const answerFaulty = async (
      request: FastifyRequest,
      reply: FastifyReply,
      exchange: Exchange,
      met: Met,
    ): Promise<FastifyReply> => {
      await gate.pass(met, {
        ...{ request, reply, exchange, operation },
        carryOut: () =>
          worlds.use(exchange.world, async (world) => {
            const result = await carryOut(request, world);
            if (result.queued) deliveries.wake(world);
            Object.assign(exchange.said, result.said);
            return result;
          }),
        answer: (result: Result) => sendJson(reply, statusOf(result), textOf(bound, result)),
      });
      return reply;
    };

    app.post(pathOf(operation), (request, reply) => {
      const faulty = worlds.forCall(
        worldNameOf(request),
        (seed) => withKey(seed, request),
        (world) => {
          const observed = observes(request, operation, services);
          const exchange = observed ? null : newExchange(worldNameOf(request), operation.id, bodyOf(request));
          request.exchange = exchange;
          if (observed) return answerRecorded(request, reply, world, observedAs(request, world));
          if (!exchange) return answerRecorded(request, reply, world);
          exchange.isStray = worlds.isSeed(world);
          exchange.sensitive = operation.scope === "none";
          exchange.said.origin = originOf(request, services) ?? undefined;
          const met = world.faults.armed
            ? gate.meet(world, request, exchange, operation.scope === "none" ? null : knownCaller(request, world))
            : null;
          return met ? () => answerFaulty(request, reply, exchange, met) : answerRecorded(request, reply, world);
        },
      );
      return typeof faulty === "function" ? faulty() : faulty;
    });
  }
};
