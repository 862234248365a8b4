import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isWorldToken } from "../contract/access.ts";
import { isUuid } from "../contract/schema.ts";
import type { AppServices } from "../http/app-services.ts";
import { worldNameOf } from "../http/callers.ts";
import { bodyOf } from "../http/routes/partner.ts";
import { addressOf } from "../http/unrouted.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/world-name.ts";
import { type Cluster, type Held, NotHeldError } from "./cluster.ts";

/** Calls in the world that their header or their address names; of those of the control plane the body does. */
const IN_A_WORLD = /^\/(api|__extensions|__webhooks|__uploads|__receiver|__oauth)\//;
const CONTROL = /^\/__sandbox\//;
/** A notification to the sink names no world. */
const SINK = "/__webhooks/sink";
/** Streams that stay open for hours; they end when their world moves. */
const STREAM = /^\/__sandbox\/(live|listen)$/;
const HEALTH = "/__health";
const ERASE = "/__sandbox/service.erase";
const AUDIT_LIST = "/__sandbox/audit.list";
const WORLDS_LIST = "/__sandbox/worlds.list";
const PICTURE = /^\/__media\/([^/]+)\//;
/** Calls that may write files which all nodes have in common, or read them. */
const WITH_FILES = /^\/(__uploads\/|__sandbox\/(snapshots|worlds|scenarios|runs|tokens)\.)/;
/** Calls that may change who may use which world, or what makes a client ready. */
const WITH_ACCESS = /^\/__sandbox\/(tokens\.(create|revoke|invite|claim)|worlds\.delete|plans\.set)$/;
/** Calls that read what makes a client ready. */
const WITH_PLANS = /^\/__sandbox\/(plans\.list|integrations\.(board|evidence))$/;

declare module "fastify" {
  interface FastifyRequest {
    /** The worlds that a call takes part in, until its answer has left. */
    held: Held[] | null;
    /** Stores who may use which world by now, and lets other nodes change it. */
    unlock: (() => Promise<void>) | null;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

const jsonOf = (request: FastifyRequest): Fields => {
  try {
    return fieldsOf(JSON.parse(bodyOf(request)?.toString("utf8") ?? ""));
  } catch {
    return {};
  }
};

const inQuery = (request: FastifyRequest): unknown => fieldsOf(request.query).world;

/** Where the form of the consent page names its world. */
const inForm = (request: FastifyRequest): unknown =>
  new URLSearchParams(bodyOf(request)?.toString("utf8")).get("world") ?? undefined;

/** The worlds that a call of the control plane is about: its own, and those it copies to or from, or compares with. */
const controlled = (request: FastifyRequest): unknown[] => {
  const { world = inQuery(request) ?? DEFAULT_WORLD, to, from, with: other } = jsonOf(request);
  return [world, to, fieldsOf(from).world, fieldsOf(other).world];
};

const textOf = ({ message }: NotHeldError): string => JSON.stringify({ type: "storage_unavailable", message });

/** Refuses a call because of where its world is. */
const refuse = (reply: FastifyReply, refusal: NotHeldError): FastifyReply =>
  reply
    .code(503)
    .header("content-type", "application/json; charset=utf-8")
    .header("retry-after", String(refusal.retryAfterSeconds))
    .send(textOf(refusal));

/** Has a call wait until its world is this node's, and its answer until all that it may be of is stored. */
export const placementOf = (
  cluster: Cluster,
  troubled: (error: unknown) => void,
): NonNullable<AppServices["placement"]> => {
  const refusalOf = (error: unknown): NotHeldError => {
    if (error instanceof NotHeldError) return error;
    troubled(error);
    return new NotHeldError(DEFAULT_WORLD, error);
  };

  const hold = async (request: FastifyRequest, reply: FastifyReply, names: readonly unknown[]): Promise<void> => {
    const held: Held[] = [];
    request.held = held;
    reply.raw.once("close", () => {
      for (const one of held.splice(0)) cluster.done(one);
    });
    for (const name of new Set(names))
      if (typeof name === "string" && isWorldName(name)) held.push(await cluster.hold(name));
  };

  /** The world of an installed integration, where it is known that another node has it. */
  const worldOfSink = (request: FastifyRequest): string | undefined => {
    const id = jsonOf(request).integration_id;
    if (typeof id !== "string" || cluster.shared.worlds.findIntegration(id)) return undefined;
    return cluster.elsewhere().find(({ closed }) => closed?.installed.includes(id))?.name;
  };

  const beforeControl = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const address = addressOf(request);
    const { files, access, audit } = cluster.shared;
    if (address === WORLDS_LIST) await cluster.lookElsewhere();
    if (address === AUDIT_LIST) await audit.pull();
    if (WITH_PLANS.test(address)) await access.pull();
    await hold(request, reply, controlled(request));
    if (STREAM.test(address)) for (const one of request.held?.splice(0) ?? []) setImmediate(() => cluster.done(one));
    if (WITH_FILES.test(address) && address !== WORLDS_LIST)
      await files.pull(request.held?.map(({ name }) => name) ?? [], jsonOf(request).everywhere === true);
    if (!WITH_ACCESS.test(address)) return;
    const unlock = await access.lock();
    request.unlock = unlock;
    reply.raw.once("close", () => void unlock().catch(() => undefined));
  };

  const afterAll = async (request: FastifyRequest): Promise<void> => {
    const address = addressOf(request);
    if (WITH_FILES.test(address) && !address.endsWith(".list")) await cluster.shared.files.push();
    for (const one of request.held ?? []) await cluster.confirm(one);
    if (CONTROL.test(address) && !address.endsWith(".list")) await cluster.shared.audit.push();
    await request.unlock?.();
  };

  const before = (app: FastifyInstance): void => {
    app.decorateRequest("held", null);
    app.decorateRequest("unlock", null);
    /** @param act what a call waits for before it goes on */
    const waiting =
      (act: (request: FastifyRequest, reply: FastifyReply) => Promise<void>) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
        try {
          await act(request, reply);
          return undefined;
        } catch (error) {
          return refuse(reply, refusalOf(error));
        }
      };
    app.addHook(
      "onRequest",
      waiting(async (request, reply) => {
        const address = addressOf(request);
        if (address === HEALTH && !cluster.isFresh) throw new NotHeldError(DEFAULT_WORLD);
        const secret = /^Bearer[ \t]+(\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
        if (CONTROL.test(address) && isWorldToken(secret)) await cluster.shared.access.knows(secret);
        const picture = PICTURE.exec(address)?.[1] ?? "";
        if (isUuid(picture)) await cluster.shared.files.pullPicture(picture);
        const isCall = request.is404 ? request.method !== "GET" && !CONTROL.test(address) : IN_A_WORLD.test(address);
        if (isCall && address !== SINK) await hold(request, reply, [inQuery(request) ?? worldNameOf(request)]);
      }),
    );
    app.addHook(
      "preHandler",
      waiting(async (request, reply) => {
        const address = addressOf(request);
        if (CONTROL.test(address) && address !== ERASE) await beforeControl(request, reply);
        else if (address === SINK) await hold(request, reply, [worldOfSink(request)]);
        else if (address.startsWith("/__oauth/") && request.method === "POST")
          await hold(request, reply, [inForm(request)]);
      }),
    );
    app.addHook("onRequest", async (request, reply) => {
      if (addressOf(request) !== HEALTH) return;
      cluster.checkedAt = Date.now();
      return cluster.isLeaving ? reply.code(404).send({ status: "stops" }) : undefined;
    });
    app.addHook("preHandler", async (request, reply) => {
      if (addressOf(request) !== ERASE) return;
      const message = "A sandbox on several nodes can't erase everything at once. Delete its worlds one by one.";
      return reply.code(403).send({ type: "forbidden", message });
    });
  };

  const after = (app: FastifyInstance): void => {
    app.addHook("onSend", async (request, reply, payload) => {
      try {
        await afterAll(request);
      } catch (error) {
        const refusal = refusalOf(error);
        reply.code(503).removeHeader("content-length");
        reply.header("content-type", "application/json; charset=utf-8");
        reply.header("retry-after", String(refusal.retryAfterSeconds));
        return textOf(refusal);
      }
      const [first] = request.held ?? [];
      if (!first) return payload;
      reply.header("x-sandbox-position", `${first.epoch}.${first.seq} ${cluster.node}`);
      if (reply.statusCode === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", "1");
      return payload;
    });
  };

  return { before, after };
};
