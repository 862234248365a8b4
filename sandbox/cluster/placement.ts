import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isIssuedToken } from "../contract/access.ts";
import { isUuid } from "../contract/schema.ts";
import type { AppServices } from "../http/app-services.ts";
import { worldNameOf } from "../http/callers.ts";
import { bearerOf, callerOf } from "../http/control-access.ts";
import { bodyOf } from "../http/routes/partner.ts";
import { addressOf } from "../http/unrouted.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/world-name.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { Cluster } from "./cluster.ts";
import { type HeldWorld, NotHeldError } from "./held-world.ts";

/** Calls in the world that their header or their address names; of those of the control plane the body does. */
const IN_A_WORLD = /^\/(api|__extensions|__webhooks|__uploads|__receiver|__oauth)\//;
const CONTROL = /^\/__sandbox\//;
/** A notification to the sink names no world. */
const SINK = "/__webhooks/sink";
/** Streams that stay open for hours; they end when their world moves. */
const STREAM = /^\/__sandbox\/(live|listen)$/;
const HEALTH = "/__health";
const SIGN_IN = "/__sandbox/tokens.sign-in";
const WORLDS_LIST = "/__sandbox/worlds.list";
const PICTURE = /^\/__media\/([^/]+)\//;
/** Calls that may write files which all nodes have in common, or read them. */
const WITH_FILES = /^\/__sandbox\/(snapshots|worlds|scenarios|runs|tokens)\./;
const UPLOAD = /^\/__uploads\//;
/** Calls that may change who may use which world, or what makes a client ready; and those that read the latter. */
const WITH_ACCESS =
  /^\/__sandbox\/(tokens\.(create|revoke|invite|claim|sign-in)|worlds\.delete|plans\.(set|list)|integrations\.(board|evidence))$/;

declare module "fastify" {
  interface FastifyRequest {
    /** The worlds that a call takes part in, until its answer has left. */
    held: HeldWorld[];
    /** What is stored anew after the call. */
    pushes: (() => Promise<void>)[];
  }
}

type Act = (request: FastifyRequest, reply: FastifyReply, services: AppServices) => Promise<void>;
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

/** The world of who has signed in. */
const signedInTo = (request: FastifyRequest, { people }: AppServices): string | null => {
  const person = people?.signedIn(request);
  return person && "world" in person ? person.world : null;
};

/** Has a call wait until its world is this node's, and its answer until all that it may be of is stored. */
export const placementOf = (
  cluster: Cluster,
  troubled: (error: unknown) => void,
): NonNullable<AppServices["placement"]> => {
  const hold = async (request: FastifyRequest, reply: FastifyReply, names: readonly unknown[]): Promise<void> => {
    const { held } = request;
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

  const withFiles = async (request: FastifyRequest): Promise<void> => {
    const sync = (): Promise<void> => {
      const worlds = request.held.map(({ name }) => name);
      return cluster.shared.files.sync(worlds, jsonOf(request).everywhere === true);
    };
    await sync();
    request.pushes.push(sync);
  };

  const beforeControl: Act = async (request, reply, services) => {
    const address = addressOf(request);
    const { access } = cluster.shared;
    if (address === WORLDS_LIST) await cluster.lookElsewhere();
    await hold(request, reply, address === SIGN_IN ? [signedInTo(request, services)] : controlled(request));
    if (STREAM.test(address)) for (const one of request.held.splice(0)) setImmediate(() => cluster.done(one));
    if (WITH_FILES.test(address) && address !== WORLDS_LIST) await withFiles(request);
    if (!WITH_ACCESS.test(address)) return;
    const pulled = await access.pull();
    request.pushes.push(() => access.push(pulled));
  };

  /** What a call waits for before it goes on. */
  const atFirst: Act = async (request, reply, services) => {
    const address = addressOf(request);
    if (address === HEALTH) cluster.mustBeFresh();
    const { files, access } = cluster.shared;
    const secret = bearerOf(request);
    // One that is unknown here another node may know.
    if (CONTROL.test(address) && isIssuedToken(secret) && callerOf(secret, services) === null) await access.pull();
    const picture = PICTURE.exec(address)?.[1] ?? "";
    if (isUuid(picture)) await files.pullPicture(picture);
    const isCall = request.is404 ? request.method !== "GET" && !CONTROL.test(address) : IN_A_WORLD.test(address);
    if (isCall && address !== SINK) await hold(request, reply, [inQuery(request) ?? worldNameOf(request)]);
    if (UPLOAD.test(address)) await withFiles(request);
  };

  /** The same, once its body is known. */
  const onceRead: Act = async (request, reply, services) => {
    const address = addressOf(request);
    if (CONTROL.test(address)) await beforeControl(request, reply, services);
    else if (address === SINK) await hold(request, reply, [worldOfSink(request)]);
    else if (address.startsWith("/__oauth/") && request.method === "POST")
      await hold(request, reply, [inForm(request)]);
  };

  const asNotDurable = (error: unknown): NotDurableError => {
    if (error instanceof NotDurableError) return error;
    troubled(error);
    return new NotHeldError(DEFAULT_WORLD, error);
  };
  const waiting = (act: Act, services: AppServices) => async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await act(request, reply, services);
    } catch (error) {
      throw asNotDurable(error);
    }
  };

  const before = (app: FastifyInstance, services: AppServices): void => {
    app.addHook("onRequest", async (request, reply) => {
      request.held = [];
      request.pushes = [];
      if (addressOf(request) !== HEALTH) return;
      cluster.checkedAt = Date.now();
      return cluster.sendsAway ? reply.code(404).send({ status: cluster.sendsAway }) : undefined;
    });
    app.addHook("onRequest", waiting(atFirst, services));
    app.addHook("preHandler", waiting(onceRead, services));
  };

  const after = (app: FastifyInstance): void => {
    app.addHook("onSend", async (request, reply, payload) => {
      let refusal: string | null = null;
      try {
        for (const push of request.pushes) await push();
        // Another node has room to put it on record.
        if (request.exchange?.refused) throw new NotHeldError(request.exchange.world);
        for (const one of request.held) await cluster.confirm(one);
        if (CONTROL.test(addressOf(request))) await cluster.note(request.held);
      } catch (error) {
        refusal = JSON.stringify({ type: "storage_unavailable", message: asNotDurable(error).message });
        reply.code(503).removeHeader("content-length").header("content-type", "application/json; charset=utf-8");
      }
      if (reply.statusCode === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", "1");
      const [first] = request.held;
      if (first && refusal === null) reply.header("x-sandbox-position", `${first.epoch}.${first.seq} ${first.owner}`);
      return refusal ?? payload;
    });
  };

  return { before, after };
};
