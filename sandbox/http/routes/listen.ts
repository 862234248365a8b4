import type { FastifyInstance, FastifyReply } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { type Refusal, refuse } from "../../contract/errors.ts";
import { type EventType, eventTypes } from "../../contract/event-types.ts";
import { isListenerName, type ListenMessages } from "../../contract/listener.ts";
import { isUuid } from "../../contract/schema.ts";
import type { Listener } from "../../webhooks/listeners.ts";
import {
  hasNewIntegration,
  type ListenRequest,
  listen,
  listListenerSubscriptions,
  noteListening,
} from "../../webhooks/listening.ts";
import type { World } from "../../worlds/world.ts";
import { sendRefusal } from "../answers.ts";
import { audit } from "../audit.ts";
import { refuseAccess } from "../control-access.ts";
import { NO_WORLD_NAME, type OpenStreams, openStream, parseLiveWorld, streamReader } from "./live.ts";

const HEARTBEAT_MS = 10_000;
const HEARTBEAT = Buffer.from(": heartbeat\n\n");
/** Interval of checks for an expired token and new integrations. */
const CHECK_EVERY_MS = 1_000;

/** Audit entry of a connect. A disconnect is in the world's log only, because nobody requested it. */
const CONNECTS = { id: "listen", effect: "write" } as const;

type Query = Readonly<Record<string, unknown>>;

interface StartedListening {
  readonly listenRequest: ListenRequest;
  readonly connectedAt: number;
  readonly ready: ListenMessages["ready"];
}

const isType = (text: unknown): text is EventType => eventTypes.some((type) => type === text);

/** @param now by the world's clock @returns the request, or a sentence about the invalid parameter */
const parseRequest = (query: Query, now: number): ListenRequest | string => {
  const { name, since, integration_id: id } = query;
  const types = [query.event_type ?? []].flat();
  if (typeof name !== "string" || !isListenerName(name))
    return "The parameter name must be 1 to 63 of a–z 0–9 -, and not begin or end with -.";
  if (!types.every(isType)) return `The parameter event_type is one of ${eventTypes.join(", ")}.`;
  if (since !== undefined && !(typeof since === "string" && /^\d{1,9}$/.test(since)))
    return "The parameter since is a number of seconds.";
  if (id !== undefined && !(typeof id === "string" && isUuid(id))) return "The parameter integration_id is a UUID.";
  return {
    ...{
      name,
      eventTypes: types.length === 0 ? null : types,
      since: since === undefined ? null : now - Number(since) * 1_000,
    },
    integrationId: id === undefined ? null : id.toLowerCase(),
  };
};

/**
 * `GET /__sandbox/listen?world=&name=`: server-sent events with a world's notifications for a developer machine, which
 * forwards each one and responds with `listen.answer`. They wait while no machine of that name is connected.
 */
export const listenRoute = (app: FastifyInstance, services: AppServices, streams: OpenStreams): void => {
  const { worlds, deliveries, onError } = services;
  app.get("/__sandbox/listen", { exposeHeadRoute: false, config: { access: "asks" } }, async (request, reply) => {
    const query = request.query as Query;
    const world = parseLiveWorld(query.world);
    const writeAudit = (value: unknown): Promise<void> =>
      audit(request, services, { operation: CONNECTS, world, body: query, value });
    const refused = async (refusal: Refusal): Promise<FastifyReply> => {
      await writeAudit(refusal);
      return sendRefusal(reply, refusal, null);
    };
    const denied = refuseAccess(request.controlCaller, { needs: "act" }, { world: query.world });
    if (denied) return refused(denied);
    if (world === null) return refused(refuse("bad_request", NO_WORLD_NAME));
    try {
      worlds.mustHave(world);
    } catch (error) {
      await writeAudit(error);
      throw error;
    }
    const tooManyStreams = streams.open(request.controlCaller, reply.raw);
    if (tooManyStreams) return refused(tooManyStreams);
    const started = await worlds.use(world, async (open): Promise<StartedListening | string> => {
      const connectedAt = open.now();
      const listenRequest = parseRequest(query, connectedAt);
      if (typeof listenRequest === "string") return listenRequest;
      const { tooMany } = await listen(open, listenRequest, services.quotas);
      const own = listListenerSubscriptions(open, listenRequest.name);
      if (tooMany && own.length === 0) return "There are too many subscriptions in this world. Delete one first.";
      const waiting = own.reduce((sum, { pending }) => sum + pending, 0);
      return { listenRequest, connectedAt, ready: { world, subscriptions: own.length, waiting } };
    });
    if (typeof started === "string") return refused(refuse("bad_request", started));
    // A disconnected caller would never be removed.
    if (reply.raw.destroyed) return reply.hijack();
    const { listenRequest, connectedAt, ready } = started;
    const { name } = listenRequest;
    const raw = openStream(request, reply);
    const stream = streamReader(raw);
    const send = <K extends keyof ListenMessages>(kind: K, data: ListenMessages[K]): void =>
      void stream.write(Buffer.from(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`));
    const listener: Listener = { send, end: stream.end, left: () => void reportConnection(false) };
    /** Runs work in the world, which may have been deleted or damaged. */
    const inWorld = async (work: (open: World) => unknown): Promise<void> => {
      try {
        await worlds.withIntactWorld(world, work);
      } catch (error) {
        onError(error);
      }
    };
    const reportConnection = (connected: boolean): Promise<void> =>
      inWorld(async (open) => {
        deliveries.listenersChanged(open);
        await noteListening(open, name, connected);
      });
    // Includes the notifications of a new integration since its installation.
    const later: ListenRequest = { ...listenRequest, since: listenRequest.since ?? connectedAt };
    let isChecking = false;
    let tooMany = false;
    const check = async (): Promise<void> => {
      if (!request.controlCaller.isValid()) {
        send("end", { reason: "this access has ended" });
        stream.end();
        return;
      }
      if (isChecking || tooMany) return;
      isChecking = true;
      await inWorld(async (open) => {
        if (!hasNewIntegration(open, later)) return;
        tooMany = (await listen(open, later, services.quotas)).tooMany;
        deliveries.listenersChanged(open);
      });
      isChecking = false;
    };
    const timers = [
      setInterval(() => void stream.write(HEARTBEAT), HEARTBEAT_MS).unref(),
      setInterval(() => void check(), CHECK_EVERY_MS).unref(),
    ];
    raw.on("close", () => {
      for (const timer of timers) clearInterval(timer);
      deliveries.listeners.disconnect(world, name, listener);
    });
    send("ready", ready);
    deliveries.listeners.connect(world, name, listener);
    await reportConnection(true);
    await writeAudit(listenRequest);
    return reply;
  });
};
