import type { AddressInfo } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { snapshotsImport } from "../../contract/control/snapshot-operations.ts";
import { Refusal, refuse } from "../../contract/errors.ts";
import { pathOf } from "../../contract/operation.ts";
import type { BoundControl, ControlContext } from "../../control/handler.ts";
import { decodeCursor } from "../../control/paging.ts";
import { controlHandlers } from "../../control/registry.ts";
import { parseBody, violation } from "../../operations/validation.ts";
import { sameSecret } from "../../rules/keys.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/world-name.ts";
import { sendError, sendJson, sendRefusal } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
import type { Replays } from "../replays.ts";
import { streamReader } from "../stream-reader.ts";
import { bodyOf } from "./partner.ts";

/** A world that is imported; every other body is an ordinary one (D6). */
const LARGEST_DOCUMENT_BYTES = 256 * 1024 * 1024;

const hasToken = (request: FastifyRequest, token: string): boolean => {
  const given = /^Bearer[ \t]+(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  return given !== undefined && sameSecret(given, token);
};

const worldOf = (value: unknown): string | null => {
  const name = value === undefined ? DEFAULT_WORLD : value;
  return typeof name === "string" && isWorldName(name) ? name : null;
};

const run = async (
  bound: BoundControl,
  services: AppServices,
  resend: ControlContext["resend"],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { operation } = bound;
  const refused = (refusal: Refusal): FastifyReply => {
    sendRefusal(reply, refusal, operation);
    return reply;
  };
  const parsed = parseBody(bodyOf(request));
  if ("problem" in parsed) return refused(refuse("bad_request", parsed.problem));
  const problem = violation(operation.request, parsed.value);
  if (problem !== null) return refused(refuse("bad_request", problem));
  const { cursor } = parsed.value as { readonly cursor?: unknown };
  if (typeof cursor === "string" && decodeCursor(cursor) === null) {
    return refused(refuse("bad_request", "/cursor must be the next_cursor of an earlier page"));
  }
  const name = worldOf((parsed.value as { readonly world?: unknown }).world);
  if (name === null) return refused(refuse("bad_request", "/world must be 1 to 64 of A–Z a–z 0–9 . _ -"));
  const { info, mode, deliveries, drills, sink, snapshots, worlds } = services;
  const world = worlds.use(name);
  // So that an exchange can be read as soon as it was answered.
  await world.exchanges.settle();
  const hungUp = new AbortController();
  reply.raw.once("close", () => hungUp.abort());
  const context = {
    ...{ world, worlds, deliveries, drills, sink, snapshots, resend, hungUp: hungUp.signal },
    info: { ...info, mode, baseUrl: services.baseUrl() },
  };
  const value = await bound.handle(context, parsed.value as never);
  return value instanceof Refusal ? refused(value) : sendJson(reply, 200, JSON.stringify(value));
};

/** The control plane: its own token, never a partner's credentials. */
export const controlRoutes = (app: FastifyInstance, services: AppServices, replays: Replays): void => {
  app.addHook("onRequest", async (request, reply) => {
    if (hasToken(request, services.controlToken)) return;
    sendError(
      reply,
      "unauthorized",
      "The control plane takes the control token of the ready line: Authorization: Bearer <control_token>.",
    );
    return reply;
  });

  const resend: ControlContext["resend"] = (call) => replays.send(call, app.server.address() as AddressInfo);
  for (const bound of controlHandlers) {
    const options = bound.operation === snapshotsImport ? { bodyLimit: LARGEST_DOCUMENT_BYTES } : {};
    app.post(pathOf(bound.operation), options, (request, reply) => run(bound, services, resend, request, reply));
  }

  // A stream has no head to show without itself.
  app.get("/__sandbox/live", { exposeHeadRoute: false }, (request, reply) => {
    const { world: given } = request.query as { readonly world?: unknown };
    const name = worldOf(given);
    if (name === null) {
      sendError(reply, "bad_request", "The parameter world must be 1 to 64 of A–Z a–z 0–9 . _ -");
      return reply;
    }
    const lastId = Number(request.headers["last-event-id"] ?? Number.NaN);
    const world = services.worlds.use(name);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": request.id,
      "x-accel-buffering": "no",
    });
    const reader = streamReader(raw);
    raw.on("close", () => services.live.disconnect(name, reader));
    services.live.connect(world, Number.isSafeInteger(lastId) && lastId >= 0 ? lastId : null, reader);
    return reply;
  });
};
