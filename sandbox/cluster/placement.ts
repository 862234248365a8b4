import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { isUuid } from "../contract/schema.ts";
import { onDisconnect } from "../http/answers.ts";
import { requestedWorld } from "../http/callers.ts";
import { bearerToken, findCaller } from "../http/control-access.ts";
import { rawBody, readRequestBody } from "../http/routes/partner.ts";
import { requestPath } from "../http/unrouted.ts";
import { readField } from "../rules/json/untyped.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { realTime } from "../storage/real-time.ts";
import { NotDurableError } from "../storage/writer.ts";
import { CONTROL, inQuery, isForm, isInWorld, isWorld, mayMake, namedIn } from "./called-world.ts";
import { type Cluster, inTime, waitsUntil } from "./cluster.ts";
import { DatabaseError } from "./database.ts";
import { FORWARDED_HEADER, type Forwarded, type Forwarding, type Outcome } from "./forwarding.ts";
import type { HeldWorld } from "./held-world.ts";
import type { Owner } from "./ownership.ts";
import { NotHeldError } from "./world-store.ts";

/** Streams that stay open for hours; they end when their world moves. */
const STREAM = /^\/__sandbox\/(live|listen)$/;
const HEALTH = "/__health";
const SIGN_IN = "/__sandbox/tokens.sign-in";
/** What is of all worlds or nodes, and in the database, or of this node itself. */
const OF_NO_WORLD = /^\/__sandbox\/(activity\.list|nodes\.(list|drain)|service\.(info|log|set|settings)|mcp)$/;
const PICTURE = /^\/__media\/([^/]+)\//;
/** Calls that may write files which all nodes have in common, or read them. */
const WITH_FILES = /^\/(__uploads\/|__sandbox\/((snapshots|worlds(?!\.list$)|scenarios|runs)\.|tokens\.invite$))/;
/** Calls that may change who may use which world, or what makes a client ready; and those that read the latter. */
const WITH_ACCESS =
  /^\/__sandbox\/(tokens\.(create|revoke|invite|claim|sign-in)|worlds\.delete|plans\.(set|list)|integrations\.(board|readiness|evidence))$/;
/** The worlds that a call of the control plane is about: its own, and those it copies to or from, or compares with. */
const NAMES = ["to", "from.world", "with.world"];

/** A body that is larger goes on as it comes. */
const KEPT_BYTES = 1024 * 1024;

const ELSEWHERE = [FORWARDED_HEADER, "elsewhere" satisfies Outcome] as const;

const NO_DISK = "The disk of this node is full or failing, so its worlds move to other nodes. Try again in a moment.";

declare module "fastify" {
  interface FastifyRequest {
    /** As long as a call waits for all that it needs, by `performance.now()`. */
    until: number;
    /** Said by the node that sent it on; null: none did. */
    forwarded: Forwarded | null;
    /** Its body, where it was read before it was known that it is answered here; null: it was not. */
    content: Buffer | null;
    /** The worlds that it takes part in, until its answer has left. */
    held: HeldWorld[];
    /** Whether it may have written files that all nodes have in common. */
    withFiles: boolean;
    /** What was pulled of who may do what, where it may change that. */
    pulled: number | null;
  }
}

type Act = (request: FastifyRequest, reply: FastifyReply, services: AppServices) => Promise<unknown>;

const changes = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.effect === "write";

/** The body of a call that goes on to another node: one that was read can be sent again, and read again here. */
const contentOf = async (request: FastifyRequest): Promise<Buffer | Readable | null> => {
  const { body, raw, headers } = request;
  if (Buffer.isBuffer(body) || body instanceof Readable) return body;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return null;
  if (!(Number(headers["content-length"]) <= KEPT_BYTES)) return raw;
  if (!request.content) {
    request.content = await buffer(raw);
    // Its caller took the time.
    request.until = waitsUntil();
  }
  return request.content;
};

/** Waits for what is pulled for a call. @throws DatabaseError where that takes too long */
const pulling = <T>({ until }: FastifyRequest, coming: Promise<T>): Promise<T> =>
  inTime(until, coming, () => {
    throw new DatabaseError();
  });

const jsonOf = (request: FastifyRequest): unknown => {
  const read = readRequestBody(request);
  return "value" in read ? read.value : null;
};

/**
 * Has a call go on to the node that has its world, or wait until that is this node's, and its answer until all that it may
 * be of is stored.
 */
export const placementOf = (cluster: Cluster, forwarding: Forwarding): NonNullable<AppServices["placement"]> => {
  /** Has a call take part in a world until it is over. Its caller may have hung up while it waited. */
  const keep = (request: FastifyRequest, { raw }: FastifyReply, one: HeldWorld): void => {
    if (raw.destroyed) cluster.done(one);
    else request.held.push(one);
  };

  const holdAll = async (request: FastifyRequest, reply: FastifyReply, names: readonly unknown[]): Promise<void> => {
    // In one order everywhere, so that no two calls wait for each other.
    for (const name of [...new Set(names.filter(isWorld))].sort())
      keep(request, reply, await cluster.hold(name, request.until, true));
  };

  /** Has a call answered by the node that has its world. @returns whether it was */
  const goOn = async (request: FastifyRequest, reply: FastifyReply, owner: Owner): Promise<boolean> => {
    try {
      const content = await contentOf(request);
      return await forwarding.send(owner, request, reply, content);
    } catch (error) {
      if (!request.raw.destroyed || request.raw.complete) throw error;
      // Nobody is there to be answered, and nothing is wrong here.
      reply.hijack();
      return true;
    }
  };

  /**
   * Has a call go on to the node that has its own world, or take part in that one and in others.
   *
   * @param own no name: it is in no world @returns whether it is answered by that node
   */
  const place = async (
    request: FastifyRequest,
    reply: FastifyReply,
    own: unknown,
    others: readonly unknown[] = [],
  ): Promise<boolean> => {
    let before = "";
    while (isWorld(own)) {
      if (performance.now() > request.until) throw new NotHeldError(own);
      const one = await cluster.hold(own, request.until, false).catch((error: unknown) => {
        // Nothing was done with it.
        if (request.forwarded) reply.header(...ELSEWHERE);
        throw error;
      });
      if (!("address" in one)) {
        const from = request.forwarded?.node ?? cluster.node;
        one.calls.set(from, (one.calls.get(from) ?? 0) + 1);
        if (!others.some(isWorld)) {
          keep(request, reply, one);
          return false;
        }
        cluster.done(one);
        break;
      }
      if (request.forwarded) {
        reply.header(...ELSEWHERE);
        throw new NotHeldError(own);
      }
      if (await goOn(request, reply, one)) return true;
      cluster.moved(own);
      // It can't be reached from here.
      if (one.node === before) break;
      before = one.node;
    }
    await holdAll(request, reply, [own, ...others]);
    return false;
  };

  const withFiles = async (request: FastifyRequest, all = false): Promise<void> => {
    const worlds = request.held.map(({ name }) => name);
    await pulling(request, cluster.shared.files.pull(worlds, all));
    request.withFiles = true;
  };

  const beforeControl: Act = async (request, reply, { people }) => {
    const address = requestPath(request);
    if (OF_NO_WORLD.test(address)) return;
    const body = jsonOf(request);
    // What is in a body that goes into a file as it comes is not known yet.
    const unnamed = request.body instanceof Readable ? requestedWorld(request) : DEFAULT_WORLD;
    const own = readField(body, "world") ?? inQuery(request) ?? unnamed;
    const signedIn = address === SIGN_IN && readField(people?.findPerson(request), "world");
    const others = NAMES.map((name) => readField(body, name));
    if (await (address === SIGN_IN ? place(request, reply, signedIn) : place(request, reply, own, others))) return;
    if (STREAM.test(address)) for (const one of request.held.splice(0)) setImmediate(() => cluster.done(one));
    if (WITH_FILES.test(address)) await withFiles(request, readField(body, "everywhere") === true);
    if (!WITH_ACCESS.test(address)) return;
    const pulled = await pulling(request, cluster.shared.access.pull());
    if (changes(request)) request.pulled = pulled;
  };

  /** What comes before anything is counted: a call belongs to the node that has its world, which counts it. */
  const arrives: Act = async (request, reply) => {
    request.until = waitsUntil();
    request.content = null;
    request.held = [];
    request.withFiles = false;
    request.pulled = null;
    request.forwarded = forwarding.take(request);
    if (request.forwarded) {
      const { until, ip, peer } = request.forwarded;
      request.until = Math.min(request.until, performance.now() + until - realTime());
      request.peer = peer;
      Object.defineProperty(request, "ip", { value: ip });
      request.end = () => void reply.raw.writeHead(502, { [FORWARDED_HEADER]: "ended" satisfies Outcome }).end();
    }
    onDisconnect(reply.raw, () => {
      for (const one of request.held.splice(0)) cluster.done(one);
    });
    const name = namedIn(request);
    const owner = isWorld(name) && isInWorld(request) ? cluster.ownerOf(name) : undefined;
    if (owner && !request.forwarded && !(await goOn(request, reply, owner))) cluster.moved(String(name));
  };

  /** What a call waits for before it goes on. */
  const atFirst: Act = async (request, reply, services) => {
    const address = requestPath(request);
    if (address === HEALTH) {
      cluster.checkedAt = Date.now();
      if (cluster.sendsAway) return reply.code(404).send({ status: cluster.sendsAway });
      cluster.mustBeFresh();
    }
    const { files, access } = cluster.shared;
    const secret = bearerToken(request);
    // One that is unknown here another node may know.
    if (CONTROL.test(address) && secret !== "" && findCaller(secret, services) === null)
      await pulling(request, access.pull());
    const picture = PICTURE.exec(address)?.[1] ?? "";
    if (isUuid(picture)) await pulling(request, files.pullPicture(picture));
    const name = namedIn(request);
    // A stranger who calls names at random takes none of them.
    const { authorization } = request.headers;
    if (isInWorld(request) && (mayMake(request, services) || (await cluster.mayExist(name, authorization))))
      if (await place(request, reply, name)) return undefined;
    if (!CONTROL.test(address) && WITH_FILES.test(address)) await withFiles(request);
    return undefined;
  };

  /** The same, once its body is known. */
  const onceRead: Act = async (request, reply, services) => {
    const address = requestPath(request);
    if (CONTROL.test(address)) await beforeControl(request, reply, services);
    else if (isForm(request))
      await place(request, reply, new URLSearchParams(rawBody(request)?.toString()).get("world") ?? DEFAULT_WORLD);
  };

  const waiting = (act: Act, services: AppServices) => (request: FastifyRequest, reply: FastifyReply) =>
    act(request, reply, services).catch((error: unknown) => {
      throw isDiskFailure(error) ? new NotDurableError(undefined, NO_DISK) : error;
    });

  const first = (app: FastifyInstance, services: AppServices): void => {
    app.addHook("onRequest", waiting(arrives, services));
  };

  const before = (app: FastifyInstance, services: AppServices): void => {
    app.addHook("onRequest", waiting(atFirst, services));
    app.addHook("preParsing", async ({ content }, _reply, payload) => (content ? Readable.from([content]) : payload));
    app.addHook("preHandler", waiting(onceRead, services));
  };

  const confirm = async ({ held }: FastifyRequest): Promise<void> => {
    for (const one of held) await cluster.confirm(one.name, one);
  };

  const after = (app: FastifyInstance, { troubled }: AppServices): void => {
    app.addHook("onSend", async (request, reply, payload) => {
      // Refused before all this: it asks for too much.
      if (!request.held) return payload;
      let refusal: string | null = null;
      try {
        // Another node has room to put it on record.
        if (request.exchange?.refused) throw new NotHeldError(request.exchange.world);
        const { files, access } = cluster.shared;
        if (request.pulled !== null) await access.push(request.pulled);
        await confirm(request);
        if (request.withFiles) {
          // What went into a file as it came is of the world that its answer names.
          if (request.body instanceof Readable && CONTROL.test(requestPath(request))) {
            request.until = waitsUntil();
            await holdAll(request, reply, [readField(JSON.parse(String(payload)), "world")]);
          }
          // Whoever has lost a world meanwhile has no files of it to store.
          await files.push();
          await confirm(request);
        }
        if (changes(request)) for (const one of request.held) if (one.unnoted) await cluster.note(one);
      } catch (error) {
        if (!(error instanceof NotDurableError)) troubled(error);
        const { message } = error instanceof NotDurableError ? error : new DatabaseError();
        refusal = JSON.stringify({ type: "storage_unavailable", message });
        reply.code(503).removeHeader("content-length").header("content-type", "application/json; charset=utf-8");
      }
      if (reply.statusCode === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", "1");
      const [first, other] = request.held;
      if (first && !other && refusal === null)
        reply.header("x-sandbox-position", `${first.epoch}.${first.seq} ${first.owner}`);
      return refusal ?? payload;
    });
  };

  return { first, before, after };
};
