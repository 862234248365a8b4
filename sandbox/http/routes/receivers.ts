import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { SIGNATURE_HEADER } from "../../contract/signature.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/worlds/world-name.ts";
import { realTime } from "../../storage/real-time.ts";
import { type Arrival, receive } from "../../webhooks/receivers.ts";
import { acknowledge, endUnanswered, onDisconnect, sendError } from "../answers.ts";
import { headerList } from "../exchange.ts";
import { rawBody } from "./partner.ts";

const BODYLESS = new Set([204, 205, 304]);
/** Time an unanswered connection stays open, longer than any attempt's limit (D72). */
const HOLD_MS = 15_000;

/** A notification as received by the service's own receivers. */
export const toArrival = (request: FastifyRequest): Arrival => {
  const signature = request.headers[SIGNATURE_HEADER];
  return {
    id: request.id,
    body: rawBody(request) ?? Buffer.alloc(0),
    signature: typeof signature === "string" ? signature : null,
    headers: headerList(request.raw.rawHeaders),
    now: realTime(),
  };
};

/**
 * `POST /__receiver/<id>?world=`: the built-in receivers. Doesn't count as a call to the world: notifications to itself
 * must not prevent an idle reset. Not recorded as a call either, because it is an attempt of a delivery.
 */
export const receiverRoutes = (app: FastifyInstance, services: AppServices): void => {
  const held = new Set<FastifyReply>();
  const release = (reply: FastifyReply): void => {
    held.delete(reply);
    endUnanswered(reply);
  };
  app.addHook("preClose", async () => {
    for (const reply of held) release(reply);
    services.drills.stop();
  });

  app.post("/__receiver/:id", async (request, reply) => {
    const { id } = request.params as { readonly id: string };
    const { world: given = DEFAULT_WORLD } = request.query as { readonly world?: unknown };
    const decision =
      typeof given === "string" && isWorldName(given)
        ? await services.worlds.withWorld(given, (world) => receive(world, id.toLowerCase(), toArrival(request)))
        : null;
    if (!decision) {
      sendError(reply, "not_found", "Receiver not found; its world may have been reset.");
      return reply;
    }
    if (decision.status === null) {
      reply.hijack();
      held.add(reply);
      const timer = setTimeout(() => release(reply), HOLD_MS);
      onDisconnect(reply.raw, () => {
        clearTimeout(timer);
        held.delete(reply);
      });
      return reply;
    }
    return acknowledge(reply, decision.status, BODYLESS.has(decision.status) ? null : decision.body);
  });
};
