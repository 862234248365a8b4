import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { errorCodes, Refusal } from "../../contract/errors.ts";
import { operationPath } from "../../contract/operation.ts";
import { MAX_WAITING_CALLS } from "../../contract/test-values.ts";
import type { CredentialHeaders } from "../../operations/authenticate.ts";
import { type Call, execute, type Result } from "../../operations/execute.ts";
import type { BoundHandler } from "../../operations/handler.ts";
import type { Loss, RefusedCall } from "../../operations/refused-call.ts";
import { partnerHandlers } from "../../operations/registry.ts";
import { DelayedCall, takeTestAnswer, testValueNotes } from "../../operations/test-values.ts";
import { readBody } from "../../operations/validation.ts";
import { TRACEPARENT_HEADER, validTraceparent } from "../../rules/traceparent.ts";
import { findWorldOrigin } from "../../snapshots/world-origin.ts";
import type { MatchedFaults } from "../../worlds/faults.ts";
import type { World } from "../../worlds/world.ts";
import { refusalText, sendJson, setJsonHeaders } from "../answers.ts";
import {
  findKnownCaller,
  findProvenOrigin,
  findRepeatedTrace,
  isObserverRead,
  observerCredentials,
  requestCredentials,
  requestedWorld,
} from "../callers.ts";
import { type Exchange, newExchange } from "../exchange.ts";
import { type FaultGate, setRetryAfter, testAnswerText } from "../fault-gate.ts";
import { reachedAt } from "../plugins/admission.ts";
import type { ExchangeLog } from "../plugins/exchange-log.ts";

export const rawBody = (request: FastifyRequest): Buffer | null =>
  Buffer.isBuffer(request.body) ? request.body : null;

declare module "fastify" {
  interface FastifyRequest {
    /** True if another world has the integration of the call. Undefined if nobody looked it up. */
    isElsewhere?: boolean;
  }
}

/** Reads a body for operations without their own code for unreadable ones (D3, D4, D14). */
export const readRequestBody = (request: FastifyRequest): ReturnType<typeof readBody> =>
  readBody(
    {
      body: rawBody(request),
      contentType: request.raw.headers["content-type"],
      contentEncoding: request.headers["content-encoding"],
    },
    "bad_request",
  );

/** Response that a test value requested (D93). */
class TestResponse {
  readonly status: number;
  readonly text: string;

  constructor(status: number, text: string) {
    this.status = status;
    this.text = text;
  }
}

const serializeResult = ({ operation, serialize }: BoundHandler, { value }: Result): string => {
  if (value instanceof TestResponse) return value.text;
  if (value instanceof Refusal) return refusalText(value, operation);
  return serialize ? serialize(value as never) : JSON.stringify(value);
};

const resultStatus = ({ value }: Result): number => {
  if (value instanceof TestResponse) return value.status;
  return value instanceof Refusal ? errorCodes[value.code].status : 200;
};

/**
 * A function that sends the response once the world's lease has ended; undefined or the reply if it was sent. Fastify
 * watches the stream of a reply that a handler returns, which a response sent in the same turn doesn't need.
 */
type PendingReply = FastifyReply | undefined | (() => Promise<FastifyReply>);

const isHeldUp = (result: Result): result is Result & { readonly value: DelayedCall } =>
  result.value instanceof DelayedCall;

const lossNames = { reset: "reset", delete: "deleted", restore: "restored" } as const;
const listLosses = ({ snapshots }: AppServices, since: number): Loss[] =>
  snapshots
    .list(null)
    .flatMap(({ world, before, created_at: at }) =>
      before === null || at < since ? [] : [{ world, how: lossNames[before], at }],
    );

/** Facts beyond a call and its world that may explain its refusal. */
export const readSurroundings = (services: AppServices, request: FastifyRequest, world: World) => {
  const { worlds } = services;
  const named = requestedWorld(request);
  return {
    userAgent: request.headers["user-agent"],
    findOtherWorld: (is) => worlds.findOtherWorld(named, is),
    findOrigin: () => findWorldOrigin(services, world),
    mayBeElsewhere: (id) => request.isElsewhere ?? worlds.mayHaveIntegration(id),
    findLosses: (since) => listLosses(services, since).filter(({ world: other }) => other !== named),
    findServiceKeys: () => worlds.findServiceKeys(named),
    onError: services.onError,
  } satisfies Partial<RefusedCall>;
};

/** Routes of the contract and the extensions, one per operation. */
export const partnerRoutes = (app: FastifyInstance, services: AppServices, log: ExchangeLog, gate: FaultGate): void => {
  const { worlds, deliveries } = services;
  for (const bound of partnerHandlers) {
    const { operation } = bound;
    const withKey = (seed: World, request: FastifyRequest): boolean =>
      operation.scope !== "none" && findKnownCaller(request, seed) !== null;

    const carryOut = (
      request: FastifyRequest,
      world: World,
      heedsTestValues: boolean,
      record?: Call["record"],
      credentials = requestCredentials(request),
    ): Result | Promise<Result> =>
      execute(bound, {
        world,
        named: requestedWorld(request),
        baseUrl: reachedAt(request, services),
        traceId: request.id,
        traceparent: validTraceparent(request.headers[TRACEPARENT_HEADER]),
        idsFrom: findRepeatedTrace(request, services) ?? request.id,
        signUpload: services.signUpload,
        credentials,
        contentType: request.raw.headers["content-type"],
        contentEncoding: request.headers["content-encoding"],
        body: rawBody(request),
        heedsTestValues,
        ...readSurroundings(services, request, world),
        ...(record ? { record } : {}),
      });

    const sendResult = (request: FastifyRequest, reply: FastifyReply, world: World, result: Result): FastifyReply => {
      if (result.queued) deliveries.wake(world);
      if (request.exchange && !request.exchange.recorded) Object.assign(request.exchange.details, result.details);
      return sendJson(reply, resultStatus(result), serializeResult(bound, result));
    };

    /**
     * Applies test values of the call's job (D93): waits without a lease on the world, then responds or runs the call.
     *
     * @returns null if the caller disconnected
     */
    const applyTestDelay = async (
      request: FastifyRequest,
      reply: FastifyReply,
      exchange: Exchange,
      { value, details }: Result & { readonly value: DelayedCall },
    ): Promise<Result | null> => {
      const { jobId, read } = value;
      const { delay = 0 } = read.outcomes;
      Object.assign(exchange.details, details, delay > 0 ? { test_values: testValueNotes(read, "delay") } : {});
      const waitResult = delay > 0 && (await gate.wait(delay, { request, reply, exchange }));
      if (waitResult === null) return null;
      const tooMany = {
        known: false,
        sentence: `${MAX_WAITING_CALLS} calls of this world wait already, so this one did not.`,
      };
      const delayed = testValueNotes(read, "delay").map((note) =>
        waitResult || delay === 0 ? note : { ...note, ...tooMany },
      );
      return worlds.use(exchange.world, async (world) => {
        const testResponse = await takeTestAnswer(world, jobId);
        if (!testResponse) {
          const result = await carryOut(request, world, false);
          if (result.queued) deliveries.wake(world);
          const test_values = [...delayed, ...(result.details.test_values ?? [])];
          return { ...result, details: { ...result.details, ...(test_values.length > 0 ? { test_values } : {}) } };
        }
        const { status, code } = testResponse;
        setRetryAfter(reply, status);
        return {
          value: new TestResponse(status, testAnswerText(testResponse, operation, request.id)),
          details: {
            ...details,
            error_code: code,
            outcome: `Returned ${status} ${code} without running, as a test value asks.`,
            test_values: [...delayed, ...testValueNotes(read, "answer")],
          },
          queued: false,
        };
      });
    };

    /** Builds and records the response in the commit of the call's change. */
    const answerRecorded = (
      request: FastifyRequest,
      reply: FastifyReply,
      world: World,
      credentials?: CredentialHeaders,
    ): PendingReply | Promise<PendingReply> => {
      let text: string | undefined;
      const record: Call["record"] = (done) => {
        if (done.value instanceof DelayedCall) return;
        if (request.exchange) Object.assign(request.exchange.details, done.details);
        text = serializeResult(bound, done);
        setJsonHeaders(reply, resultStatus(done), text);
        log.writeWith(world, request, reply, { body: text });
      };
      const { exchange } = request;
      const result = carryOut(request, world, exchange !== null, record, credentials);
      const answerHeldUp = async (held: Result & { readonly value: DelayedCall }): Promise<FastifyReply> => {
        const done = exchange && (await applyTestDelay(request, reply, exchange, held));
        return done ? sendResult(request, reply, world, done) : reply;
      };
      if (!(result instanceof Promise)) {
        if (isHeldUp(result)) return () => answerHeldUp(result);
        const { confirming } = world;
        // Recorded calls already wait for the commit of their record.
        if (confirming && !request.exchange) return confirming.then(() => sendResult(request, reply, world, result));
        sendResult(request, reply, world, result);
        return undefined;
      }
      return result.then((done) => {
        if (isHeldUp(done)) return () => answerHeldUp(done);
        if (text === undefined) return sendResult(request, reply, world, done);
        if (done.queued) deliveries.wake(world);
        return reply.send(text);
      });
    };

    /** Applies faults. The call may wait for long, and leases its world only in between. */
    const answerFaulty = async (
      request: FastifyRequest,
      reply: FastifyReply,
      exchange: Exchange,
      met: MatchedFaults,
    ): Promise<FastifyReply> => {
      await gate.applyFaults(met, {
        ...{ request, reply, exchange, operation },
        carryOut: () =>
          worlds
            .use(exchange.world, async (world) => {
              const result = await carryOut(request, world, true);
              if (result.queued) deliveries.wake(world);
              return result;
            })
            .then(async (result) => {
              const done = isHeldUp(result) ? await applyTestDelay(request, reply, exchange, result) : result;
              if (done) Object.assign(exchange.details, done.details);
              return done;
            }),
        answer: (result: Result) => sendJson(reply, resultStatus(result), serializeResult(bound, result)),
      });
      return reply;
    };

    app.post(operationPath(operation), (request, reply) => {
      const faulty = worlds.forCall(
        requestedWorld(request),
        (seed) => withKey(seed, request),
        (world) => {
          const observed = isObserverRead(request, operation, services);
          const exchange = observed ? null : newExchange(requestedWorld(request), operation.id, rawBody(request));
          request.exchange = exchange;
          if (observed) return answerRecorded(request, reply, world, observerCredentials(request, world));
          if (!exchange) return answerRecorded(request, reply, world);
          exchange.isStray = worlds.isSeed(world);
          exchange.sensitive = operation.scope === "none";
          exchange.details.origin = findProvenOrigin(request, services) ?? undefined;
          const met = world.faults.armed
            ? gate.matchFaults(
                world,
                request,
                exchange,
                operation.scope === "none" ? null : findKnownCaller(request, world),
              )
            : null;
          return met ? () => answerFaulty(request, reply, exchange, met) : answerRecorded(request, reply, world);
        },
      );
      if (faulty instanceof Promise) return faulty.then((later) => (typeof later === "function" ? later() : later));
      return typeof faulty === "function" ? faulty() : faulty;
    });
  }
};
