import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SIGNATURE_HEADER } from "../../contract/signature.ts";
import { BODYLESS } from "../../rules/receiver.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/world-name.ts";
import type { Arrival } from "../../webhooks/receipts.ts";
import { receive } from "../../webhooks/receiver.ts";
import { sendError, sendJson } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
import { headerList } from "../plugins/exchange-log.ts";
import { bodyOf } from "./partner.ts";

/** Longer than any attempt may take (D72). */
const HOLD_MS = 15_000;
const MOST_HELD = 64;

/** Connections that are kept open without an answer, as a receiver that hangs does. */
class HeldConnections {
  readonly #release = new Set<() => void>();

  hold(reply: FastifyReply): void {
    reply.hijack();
    const { socket } = reply.raw;
    if (!socket || this.#release.size >= MOST_HELD) {
      reply.raw.destroy();
      return;
    }
    const release = (): void => {
      clearTimeout(timer);
      this.#release.delete(release);
      socket.destroy();
    };
    const timer = setTimeout(release, HOLD_MS);
    this.#release.add(release);
    socket.once("close", release);
  }

  releaseAll(): void {
    for (const release of this.#release) release();
  }
}

/** A notification as it reached one of the service's own receivers. */
export const arrivalOf = (request: FastifyRequest): Arrival => {
  const signature = request.headers[SIGNATURE_HEADER];
  return {
    body: bodyOf(request) ?? Buffer.alloc(0),
    signature: typeof signature === "string" ? signature : null,
    headers: headerList(request.raw.rawHeaders),
    now: Date.now(),
  };
};

/**
 * `POST /__receiver/<id>?world=`: the built-in receivers. Only looked into, its world is not called by it: what a world
 * sends to itself must not keep it from being idle. Not in the log of requests either: it is a delivery's own attempt.
 */
export const receiverRoutes = (app: FastifyInstance, services: AppServices): void => {
  const held = new HeldConnections();
  app.addHook("preClose", async () => {
    held.releaseAll();
    await services.drills.stop();
  });

  app.post("/__receiver/:id", async (request, reply) => {
    const { id } = request.params as { readonly id: string };
    const { world: given = DEFAULT_WORLD } = request.query as { readonly world?: unknown };
    const decision =
      typeof given === "string" && isWorldName(given)
        ? await services.worlds.look(given, (world) => receive(world, id.toLowerCase(), arrivalOf(request)))
        : null;
    if (!decision) {
      sendError(reply, "not_found", "There is no such receiver; its world may have been reset.");
      return reply;
    }
    if (decision.status === null) {
      held.hold(reply);
      return reply;
    }
    return BODYLESS.has(decision.status)
      ? reply.code(decision.status).send()
      : sendJson(reply, decision.status, JSON.stringify(decision.body));
  });
};
