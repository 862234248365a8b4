import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../contract/errors.ts";
import { pathOf } from "../../contract/operation.ts";
import { execute, type Result } from "../../operations/execute.ts";
import type { BoundHandler } from "../../operations/handler.ts";
import { partnerHandlers } from "../../operations/registry.ts";
import { sendJson, sendRefusal } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
import { atEndOfTurn } from "../end-of-turn.ts";
import { newExchange } from "../exchange.ts";
import { worldNameOf } from "../plugins/tenant.ts";

export const bodyOf = (request: FastifyRequest): Buffer | null => (Buffer.isBuffer(request.body) ? request.body : null);

const answer = (
  bound: BoundHandler,
  result: Result,
  request: FastifyRequest,
  reply: FastifyReply,
  services: AppServices,
): void => {
  const { exchange } = request;
  const { value } = result;
  let text: string;
  if (value instanceof Refusal) text = sendRefusal(reply, value, bound.operation);
  else {
    text = bound.serialize ? bound.serialize(value as never) : JSON.stringify(value);
    sendJson(reply, 200, text);
  }
  if (exchange) {
    exchange.responseBody = text;
    exchange.integration_id = result.integration_id;
    exchange.side = result.side;
    exchange.events = result.events;
    exchange.job_id = result.job_id;
    exchange.procurement_id = result.procurement_id;
    exchange.error_code = value instanceof Refusal ? value.code : null;
    exchange.outcome = value instanceof Refusal ? (value.message ?? "nothing changed") : result.outcome;
    if (result.queued) services.deliveries.wake(exchange.world);
  }
};

/** The public contract and the extensions: one route an operation. */
export const partnerRoutes = (app: FastifyInstance, services: AppServices): void => {
  for (const bound of partnerHandlers) {
    const { operation } = bound;

    const carryOut = (request: FastifyRequest): Result | Promise<Result> => {
      const world = services.worlds.use(worldNameOf(request));
      const body = bodyOf(request);
      request.exchange = newExchange(world, operation.id, body);
      request.exchange.sensitive = operation.scope === "none";
      const integrationId = request.headers["service-integration-id"];
      return execute(bound, {
        world,
        baseUrl: services.baseUrl(),
        traceId: request.id,
        signUpload: services.signUpload,
        credentials: {
          authorization: request.headers.authorization,
          integrationId: typeof integrationId === "string" ? integrationId : undefined,
        },
        contentType: request.headers["content-type"],
        contentEncoding: request.headers["content-encoding"],
        body,
      });
    };

    const run = (request: FastifyRequest, reply: FastifyReply): void => {
      const failed = (error: unknown): void => void reply.send(error);
      try {
        const result = carryOut(request);
        if (result instanceof Promise) {
          result.then((value) => answer(bound, value, request, reply, services)).catch(failed);
        } else answer(bound, result, request, reply, services);
      } catch (error) {
        failed(error);
      }
    };

    app.post(pathOf(operation), (request, reply) => {
      // A mutation waits for the end of the turn in its world's writer.
      if (operation.effect === "write") run(request, reply);
      else atEndOfTurn(() => run(request, reply));
    });
  }
};
