// HTTP hooks that answer each call on the node that owns its world.
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { isUuid } from "../contract/schema.ts";
import { onDisconnect } from "../http/answers.ts";
import { requestCredentials, requestedWorld } from "../http/callers.ts";
import { bearerToken, findCaller } from "../http/control-access.ts";
import { rawBody, readRequestBody } from "../http/routes/partner.ts";
import { requestPath } from "../http/unrouted.ts";
import { findLaterBeginning } from "../operations/refused-call.ts";
import { readField } from "../rules/json/untyped.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { realTime } from "../storage/real-time.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { World } from "../worlds/world.ts";
import {
  CONTROL_PATH,
  canCreateWorld,
  findCalledWorld,
  isConsentForm,
  isInWorld,
  isValidWorld,
  readQueryWorld,
} from "./called-world.ts";
import { type Cluster, getCallDeadline, waitUntilDeadline } from "./cluster.ts";
import { DatabaseError } from "./database.ts";
import { FORWARDED_HEADER, type ForwardedCall, type Forwarding, type Outcome } from "./forwarding.ts";
import type { HeldWorld } from "./held-world.ts";
import type { Owner } from "./ownership.ts";
import { NotHeldError } from "./world-store.ts";

/** Streams that stay open for hours; they end when their world moves, so it must not wait for them. */
const STREAM = /^\/__sandbox\/(live|listen)$/;
const HEALTH = "/__health";
const SIGN_IN = "/__sandbox/tokens.sign-in";
/** Control calls without a world: they concern all worlds, all nodes, or this node. */
const WITHOUT_WORLD = /^\/__sandbox\/(activity\.list|nodes\.(list|drain)|service\.(info|log|set|settings)|mcp)$/;
const PICTURE = /^\/__media\/([^/]+)\//;
/** Calls that may read or write shared files. */
const WITH_FILES = /^\/(__uploads\/|__sandbox\/((snapshots|worlds(?!\.list$)|scenarios|runs)\.|tokens\.invite$))/;
/** Calls that may change access to worlds, or that read or change readiness plans. */
const WITH_ACCESS =
  /^\/__sandbox\/(tokens\.(create|revoke|invite|claim|sign-in)|worlds\.delete|plans\.(set|list)|integrations\.(board|readiness|evidence))$/;
/** Fields of control calls that name further worlds, to copy to or from, or to compare with. */
const WORLD_FIELDS = ["to", "from.world", "with.world"];

/** Larger bodies are streamed to the owner. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

const ELSEWHERE = [FORWARDED_HEADER, "elsewhere" satisfies Outcome] as const;

const NO_DISK = "The disk of this node is full or failing, so its worlds move to other nodes. Try again in a moment.";

declare module "fastify" {
  interface FastifyRequest {
    /** Deadline for waiting for worlds and data, by `performance.now()`. */
    until: number;
    /** From the node that forwarded the call; null for a direct call. */
    forwarded: ForwardedCall | null;
    /** The body, if it was read before routing; otherwise null. */
    content: Buffer | null;
    /** Worlds that stay on this node until the response is sent. */
    held: HeldWorld[];
    /** True if the call may have written shared files. */
    hasSharedFiles: boolean;
    /** Result of `SharedAccess.pull`, for a call that may change access; otherwise null. */
    pulled: number | null;
  }
}

type HookStep = (request: FastifyRequest, reply: FastifyReply, services: AppServices) => Promise<unknown>;

const isWrite = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.effect === "write";

/** Returns the body to forward. A body that was read can be sent again, and parsed on this node. */
const readContent = async (request: FastifyRequest): Promise<Buffer | Readable | null> => {
  const { body, raw, headers } = request;
  if (Buffer.isBuffer(body) || body instanceof Readable) return body;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return null;
  if (!(Number(headers["content-length"]) <= MAX_BUFFERED_BYTES)) return raw;
  if (!request.content) {
    request.content = await buffer(raw);
    // The wait for a slow caller's body doesn't count.
    request.until = getCallDeadline();
  }
  return request.content;
};

/** Waits for data that a call needs. @throws DatabaseError at the call's deadline */
const awaitPull = <T>({ until }: FastifyRequest, coming: Promise<T>): Promise<T> =>
  waitUntilDeadline(until, coming, () => {
    throw new DatabaseError();
  });

const readJson = (request: FastifyRequest): unknown => {
  const read = readRequestBody(request);
  return "value" in read ? read.value : null;
};

/**
 * Returns hooks that forward a call to the owner of its world or take the world, and delay the response until everything
 * it may show is stored.
 */
export const createPlacement = (cluster: Cluster, forwarding: Forwarding): NonNullable<AppServices["placement"]> => {
  /** Keeps a world here until the call ends, unless the caller disconnected while it waited. */
  const keepUntilSent = (request: FastifyRequest, { raw }: FastifyReply, one: HeldWorld): void => {
    if (raw.destroyed) cluster.done(one);
    else request.held.push(one);
  };

  const holdAll = async (request: FastifyRequest, reply: FastifyReply, names: readonly unknown[]): Promise<void> => {
    // Always in the same order, so that two calls can't deadlock.
    for (const name of [...new Set(names.filter(isValidWorld))].sort())
      keepUntilSent(request, reply, await cluster.hold(name, request.until, true));
  };

  /** Forwards a call to the owner of its world. @returns false if the owner didn't take it */
  const forward = async (request: FastifyRequest, reply: FastifyReply, owner: Owner): Promise<boolean> => {
    try {
      const content = await readContent(request);
      return await forwarding.send(owner, request, reply, content);
    } catch (error) {
      if (!request.raw.destroyed || request.raw.complete) throw error;
      // The caller disconnected, which isn't an error of this node.
      reply.hijack();
      return true;
    }
  };

  /**
   * Forwards a call to the owner of its own world, or holds that world and others here.
   *
   * @param own the call's world, if it is a valid name @returns true if another node responded
   */
  const route = async (
    request: FastifyRequest,
    reply: FastifyReply,
    own: unknown,
    others: readonly unknown[] = [],
  ): Promise<boolean> => {
    let before = "";
    while (isValidWorld(own)) {
      if (performance.now() > request.until) throw new NotHeldError(own);
      const one = await cluster.hold(own, request.until, false).catch((error: unknown) => {
        // The call had no effect, so the sender may try another node.
        if (request.forwarded) reply.header(...ELSEWHERE);
        throw error;
      });
      if (!("address" in one)) {
        const from = request.forwarded?.node ?? cluster.node;
        one.calls.set(from, (one.calls.get(from) ?? 0) + 1);
        if (!others.some(isValidWorld)) {
          keepUntilSent(request, reply, one);
          return false;
        }
        cluster.done(one);
        break;
      }
      if (request.forwarded) {
        reply.header(...ELSEWHERE);
        throw new NotHeldError(own);
      }
      if (await forward(request, reply, one)) return true;
      cluster.dropCachedOwner(own);
      // The same owner failed twice, so this node takes the world.
      if (one.node === before) break;
      before = one.node;
    }
    await holdAll(request, reply, [own, ...others]);
    return false;
  };

  /** Looks up the integration of a key that is from before its world, or of another: only the database knows which. */
  const lookUpIntegration = async (request: FastifyRequest, { worlds }: AppServices): Promise<void> => {
    const id = requestCredentials(request).integrationId?.trim().toLowerCase() ?? "";
    const isUnknown = ({ stores }: World): boolean => stores.credentials.findByIntegration(id) === undefined;
    const isOlder = (world: World): boolean => isUnknown(world) && findLaterBeginning(world, id) !== null;
    if (isUuid(id) && request.held.length > 0 && worlds.withIntactWorld(requestedWorld(request), isOlder))
      request.isElsewhere = (await awaitPull(request, worlds.findIntegration(id))) !== null;
  };

  const pullFiles = async (request: FastifyRequest, all = false): Promise<void> => {
    const worlds = request.held.map(({ name }) => name);
    await awaitPull(request, cluster.shared.files.pull(worlds, all));
    request.hasSharedFiles = true;
  };

  const routeControl: HookStep = async (request, reply, { people }) => {
    const address = requestPath(request);
    if (WITHOUT_WORLD.test(address)) return;
    const body = readJson(request);
    // A streamed body is not parsed yet, so only the header can name the world.
    const unnamed = request.body instanceof Readable ? requestedWorld(request) : DEFAULT_WORLD;
    const own = readField(body, "world") ?? readQueryWorld(request) ?? unnamed;
    const signedIn = address === SIGN_IN && readField(people?.findPerson(request), "world");
    const others = WORLD_FIELDS.map((name) => readField(body, name));
    if (await (address === SIGN_IN ? route(request, reply, signedIn) : route(request, reply, own, others))) return;
    if (STREAM.test(address)) for (const one of request.held.splice(0)) setImmediate(() => cluster.done(one));
    if (WITH_FILES.test(address)) await pullFiles(request, readField(body, "everywhere") === true);
    if (!WITH_ACCESS.test(address)) return;
    const pulled = await awaitPull(request, cluster.shared.access.pull());
    if (isWrite(request)) request.pulled = pulled;
  };

  /** Runs before calls are counted, because only the owner of a call's world counts it. */
  const onArrival: HookStep = async (request, reply) => {
    request.until = getCallDeadline();
    request.content = null;
    request.held = [];
    request.hasSharedFiles = false;
    request.pulled = null;
    request.forwarded = forwarding.takeMark(request);
    if (request.forwarded) {
      const { until, ip, peer, hostFault = request.hostFault } = request.forwarded;
      request.until = Math.min(request.until, performance.now() + until - realTime());
      request.peer = peer;
      request.hostFault = hostFault;
      Object.defineProperty(request, "ip", { value: ip });
      request.end = () => void reply.raw.writeHead(502, { [FORWARDED_HEADER]: "ended" satisfies Outcome }).end();
    }
    onDisconnect(reply.raw, () => {
      for (const one of request.held.splice(0)) cluster.done(one);
    });
    const name = findCalledWorld(request);
    const owner = isValidWorld(name) && isInWorld(request) ? cluster.findCachedOwner(name) : undefined;
    if (owner && !request.forwarded && !(await forward(request, reply, owner))) cluster.dropCachedOwner(String(name));
  };

  /** Runs before the body is read. */
  const beforeBody: HookStep = async (request, reply, services) => {
    const address = requestPath(request);
    if (address === HEALTH) {
      cluster.checkedAt = Date.now();
      if (cluster.drainReason) return reply.code(404).send({ status: cluster.drainReason });
      cluster.assertFresh();
    }
    const { files, access } = cluster.shared;
    const secret = bearerToken(request);
    // Another node may have created an unknown token.
    if (CONTROL_PATH.test(address) && secret !== "" && findCaller(secret, services) === null)
      await awaitPull(request, access.pull());
    const picture = PICTURE.exec(address)?.[1] ?? "";
    if (isUuid(picture)) await awaitPull(request, files.pullPicture(picture));
    const name = findCalledWorld(request);
    // Random names from unknown callers must not create worlds.
    const { authorization } = request.headers;
    if (isInWorld(request) && (canCreateWorld(request, services) || (await cluster.canExist(name, authorization))))
      if (await route(request, reply, name)) return undefined;
    await lookUpIntegration(request, services);
    if (!CONTROL_PATH.test(address) && WITH_FILES.test(address)) await pullFiles(request);
    return undefined;
  };

  /** Runs once the body is parsed, for calls that name their world in it. */
  const afterBody: HookStep = async (request, reply, services) => {
    const address = requestPath(request);
    if (CONTROL_PATH.test(address)) await routeControl(request, reply, services);
    else if (isConsentForm(request))
      await route(request, reply, new URLSearchParams(rawBody(request)?.toString()).get("world") ?? DEFAULT_WORLD);
  };

  const asHook = (act: HookStep, services: AppServices) => (request: FastifyRequest, reply: FastifyReply) =>
    act(request, reply, services).catch((error: unknown) => {
      throw isDiskFailure(error) ? new NotDurableError(undefined, NO_DISK) : error;
    });

  const first = (app: FastifyInstance, services: AppServices): void => {
    app.addHook("onRequest", asHook(onArrival, services));
  };

  const before = (app: FastifyInstance, services: AppServices): void => {
    app.addHook("onRequest", asHook(beforeBody, services));
    app.addHook("preParsing", async ({ content }, _reply, payload) => (content ? Readable.from([content]) : payload));
    app.addHook("preHandler", asHook(afterBody, services));
  };

  const confirm = async ({ held }: FastifyRequest): Promise<void> => {
    for (const one of held) await cluster.confirm(one.name, one);
  };

  const after = (app: FastifyInstance, { onError }: AppServices): void => {
    app.addHook("onSend", async (request, reply, payload) => {
      // A call that was refused before the first hook has no state.
      if (!request.held) return payload;
      let refusal: string | null = null;
      try {
        // The call couldn't be recorded here; another node may have disk space.
        if (request.exchange?.refused) throw new NotHeldError(request.exchange.world);
        const { files, access } = cluster.shared;
        if (request.pulled !== null) await access.push(request.pulled);
        await confirm(request);
        if (request.hasSharedFiles) {
          // For a streamed body, only the response names the world.
          if (request.body instanceof Readable && CONTROL_PATH.test(requestPath(request))) {
            request.until = getCallDeadline();
            await holdAll(request, reply, [readField(JSON.parse(String(payload)), "world")]);
          }
          // Files of a world that was lost meanwhile are not stored, so confirm again afterwards.
          await files.push();
          await confirm(request);
        }
        if (isWrite(request)) for (const one of request.held) if (one.isUnpublished) await cluster.publishEntry(one);
      } catch (error) {
        if (!(error instanceof NotDurableError)) onError(error);
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
