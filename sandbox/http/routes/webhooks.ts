import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refuse } from "../../contract/errors.ts";
import { authenticate } from "../../operations/authenticate.ts";
import { parseBody } from "../../operations/validation.ts";
import { subscribe } from "../../webhooks/subscribe.ts";
import { sendJson, sendRefusal } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
import { newExchange } from "../exchange.ts";
import { worldNameOf } from "../plugins/tenant.ts";
import { bodyOf } from "./partner.ts";
import { arrivalOf } from "./receivers.ts";

interface Told {
  readonly outcome: string;
  readonly error_code?: string;
}

const answer = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: object,
  told: Told,
): FastifyReply => {
  const text = JSON.stringify(body);
  if (request.exchange) {
    request.exchange.responseBody = text;
    request.exchange.outcome = told.outcome;
    request.exchange.error_code = told.error_code ?? null;
  }
  return sendJson(reply, status, text);
};

const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Contract, "Subscription" and "Reference sink"; the secret is an extension (D26). */
export const webhookRoutes = (app: FastifyInstance, services: AppServices): void => {
  app.post("/__webhooks/subscribe", async (request, reply) => {
    const world = services.worlds.use(worldNameOf(request));
    request.exchange = newExchange(world, "webhooks.subscribe", bodyOf(request));
    const { status, body } = await subscribe(world, services.mode, parseBody(bodyOf(request)));
    return answer(
      request,
      reply,
      status,
      body,
      body.ok ? { outcome: "subscribed" } : { outcome: "nothing changed", error_code: body.reason },
    );
  });

  // A notification that arrives here has its own record as a delivery; listing it as a request too would say it twice.
  app.post("/__webhooks/sink", async (request, reply) => {
    const { status, body } = services.sink.receive(arrivalOf(request));
    return answer(request, reply, status, body, { outcome: "" });
  });

  app.post("/__webhooks/secret", async (request, reply) => {
    const world = services.worlds.use(worldNameOf(request));
    request.exchange = newExchange(world, "webhooks.secret", bodyOf(request));
    request.exchange.sensitive = true;
    const caller = authenticate(
      {
        authorization: request.headers.authorization,
        integrationId: single(request.headers["service-integration-id"]),
      },
      world.stores.credentials,
    );
    const credential = caller && world.stores.credentials.byIntegration(caller.integration_id);
    if (!credential) {
      request.exchange.responseBody = sendRefusal(reply, refuse("unauthorized"), null);
      request.exchange.error_code = "unauthorized";
      return reply;
    }
    request.exchange.integration_id = credential.integration_id;
    request.exchange.side = credential.scope;
    return answer(
      request,
      reply,
      200,
      { integration_id: credential.integration_id, secret: credential.webhook_secret },
      { outcome: "read only" },
    );
  });
};
