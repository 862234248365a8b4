import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { Refusal, refuse } from "../../contract/errors.ts";
import { controlBytes, type Reader } from "../../live-feed/live-feed.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/worlds/world-name.ts";
import { NoSuchWorldError } from "../../worlds/world-errors.ts";
import { sendRefusal } from "../answers.ts";
import { audit } from "../audit.ts";
import { type ControlCaller, refuseAccess } from "../control-access.ts";

/** Time for a reader to take the rest of an ended stream before its connection is cut. */
const END_TIMEOUT_MS = 10_000;
/** Interval of checks for an expired token. */
const CHECK_TOKEN_EVERY_MS = 1_000;

export const openStream = (request: FastifyRequest, reply: FastifyReply): ServerResponse => {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-request-id": request.id,
    "x-accel-buffering": "no",
  });
  return raw;
};

/** Wraps an open response as a reader of the live feed. */
export const streamReader = (raw: ServerResponse) => ({
  write: (bytes: Buffer): number => {
    // An ended response stays until its caller disconnects. Writing to it would throw and end the service.
    if (!raw.writableEnded) raw.write(bytes);
    return raw.writableLength;
  },
  onDrain: (run: () => void): void => void raw.on("drain", run),
  end: (): void => {
    if (raw.writableEnded) return;
    raw.end();
    // A reader that takes nothing would keep its buffer forever.
    const timer = setTimeout(() => raw.destroy(), END_TIMEOUT_MS).unref();
    raw.once("close", () => clearTimeout(timer));
  },
});

/** Counts open streams, so that those of one token can't use up all connections (D86). */
export class OpenStreams {
  readonly #byToken = new Map<string, number>();
  readonly #services: Pick<AppServices, "quotas" | "limits">;
  #all = 0;

  constructor(services: Pick<AppServices, "quotas" | "limits">) {
    this.#services = services;
  }

  /** Counts a stream until its response closes. @returns a refusal, or null */
  open({ name, token }: ControlCaller, raw: ServerResponse): Refusal | null {
    const { quotas, limits } = this.#services;
    const id = token?.id ?? name;
    const open = this.#byToken.get(id) ?? 0;
    if (open >= quotas.streams)
      return refuse(
        "rate_limited",
        `This token already has ${open} live feeds open, the limit. Close a window of the explorer, a tail or a listen that uses it, then try again.`,
      );
    if (this.#all >= limits.streams)
      return refuse(
        "rate_limited",
        `This service already has ${this.#all} live feeds open, the limit. Try again when some are closed.`,
      );
    // The caller may have disconnected already.
    if (raw.destroyed) return null;
    this.#byToken.set(id, open + 1);
    this.#all += 1;
    raw.once("close", () => {
      this.#all -= 1;
      const left = (this.#byToken.get(id) ?? 1) - 1;
      if (left === 0) this.#byToken.delete(id);
      else this.#byToken.set(id, left);
    });
    return null;
  }
}

/** Message for an invalid name; see {@link parseLiveWorld}. */
export const NO_WORLD_NAME = "The parameter world must be 1 to 64 of A–Z a–z 0–9 . _ -";

/** World in a query, the default one if absent; null if the name is invalid. */
export const parseLiveWorld = (value: unknown): string | null => {
  const name = value === undefined ? DEFAULT_WORLD : value;
  return typeof name === "string" && isWorldName(name) ? name : null;
};

/** Last event ID of a reader; -1 if it can't be parsed. */
const parseId = (text: string): number => (/^\d+$/.test(text) ? Number(text) : -1);

/** Requested worlds with the last ID seen of each; null for none. */
type RequestedWorlds = ReadonlyMap<string, number | null>;

/** Enough for all windows of a person. */
const MAX_WORLDS = 64;
const NO_WORLDS = `The parameter worlds takes 1 to ${MAX_WORLDS} world names, each optionally with its last event ID: qa:17,default`;

const parseWorlds = (text: unknown): RequestedWorlds | null => {
  const all = typeof text === "string" ? text.split(",").map((one) => one.split(":")) : [];
  const fits = all.every(([name = "", , ...more]) => isWorldName(name) && more.length === 0);
  if (!fits || all.length === 0 || all.length > MAX_WORLDS) return null;
  return new Map(all.map(([name = "", id]) => [name, id === undefined ? null : parseId(id)]));
};

const parseRequest = ({ query, headers }: FastifyRequest, isAlone: boolean): RequestedWorlds | Refusal => {
  const { world: given, worlds } = query as { readonly world?: unknown; readonly worlds?: unknown };
  if (worlds !== undefined) {
    // Each world is served by the node that owns it.
    if (!isAlone)
      return refuse("bad_request", "With several nodes each stream is of one world: use the parameter world.");
    return parseWorlds(worlds) ?? refuse("bad_request", NO_WORLDS);
  }
  const name = parseLiveWorld(given);
  const lastId = headers["last-event-id"];
  return name === null
    ? refuse("bad_request", NO_WORLD_NAME)
    : new Map([[name, lastId === undefined ? null : parseId(String(lastId))]]);
};

/** Audit entry of a stream. */
const OPENS = { id: "live", effect: "read" } as const;

/** A reader of several worlds on one stream. A world's name precedes its events whenever the world changes. */
class SeveralFeeds implements Reader {
  readonly #services: Pick<AppServices, "live" | "worlds">;
  readonly #stream: ReturnType<typeof streamReader>;
  readonly #drained = new Map<string, () => void>();
  /** Worlds that don't exist or whose feed has ended. */
  readonly #waiting = new Set<string>();
  /** World of the last event written. */
  #last = "";

  constructor(services: Pick<AppServices, "live" | "worlds">, stream: ReturnType<typeof streamReader>) {
    this.#services = services;
    this.#stream = stream;
    stream.onDrain(() => {
      for (const run of this.#drained.values()) run();
    });
  }

  write(bytes: Buffer, world: string): number {
    const named = world === this.#last ? bytes : Buffer.concat([controlBytes("of_world", { world }), bytes]);
    this.#last = world;
    return this.#stream.write(named);
  }

  onDrain(run: () => void, world: string): void {
    this.#drained.set(world, run);
  }

  end(world?: string): void {
    if (world === undefined) this.#stream.end();
    else this.#waiting.add(world);
  }

  /** @param lastId null starts at the newest entry */
  connect(name: string, lastId: number | null): void {
    const { worlds, live } = this.#services;
    const isNews = !this.#waiting.delete(name);
    try {
      worlds.mustHave(name);
      worlds.use(name, (world) => live.connect(world, lastId, this));
    } catch (error) {
      this.#waiting.add(name);
      const reason = error instanceof Error ? error.message : String(error);
      if (isNews) this.write(controlBytes("missing", { is_there: !(error instanceof NoSuchWorldError), reason }), name);
    }
  }

  /** Reconnects waiting worlds. */
  connectWaiting(): void {
    for (const name of [...this.#waiting]) this.connect(name, null);
  }
}

/**
 * `GET /__sandbox/live?world=`: server-sent events of one world. `?worlds=`: of several on one connection, because
 * browsers allow only six connections per service. Control messages are in {@link LiveControl}.
 */
export const liveRoute = (app: FastifyInstance, services: AppServices, streams: OpenStreams): void => {
  // HEAD makes no sense for a stream.
  app.get("/__sandbox/live", { exposeHeadRoute: false, config: { access: "asks" } }, (request, reply) => {
    const { live, worlds } = services;
    const { world: given, worlds: several } = request.query as Readonly<Record<string, unknown>>;
    const requested = parseRequest(request, services.placement === undefined);
    const names = requested instanceof Refusal ? [parseLiveWorld(given)] : [...requested.keys()];
    const writeAudit = (value: unknown): void => {
      for (const world of names)
        void audit(request, services, { operation: OPENS, world, body: { world: world ?? given }, value });
    };
    const refused = (refusal: Refusal): FastifyReply => {
      writeAudit(refusal);
      return sendRefusal(reply, refusal, null);
    };
    for (const world of requested instanceof Refusal ? [given] : several === undefined ? [given] : names) {
      const denied = refuseAccess(request.controlCaller, { needs: "view" }, { world });
      if (denied) return refused(denied);
    }
    if (requested instanceof Refusal) return refused(requested);
    try {
      if (several === undefined) for (const name of requested.keys()) worlds.mustHave(name);
    } catch (error) {
      writeAudit(error);
      throw error;
    }
    const full = streams.open(request.controlCaller, reply.raw);
    if (full) return refused(full);
    writeAudit(null);
    // A disconnected caller would never be removed.
    if (reply.raw.destroyed) return reply.hijack();
    const raw = openStream(request, reply);
    const stream = streamReader(raw);
    const feeds = several === undefined ? null : new SeveralFeeds(services, stream);
    const reader = feeds ?? stream;
    const { isValid } = request.controlCaller;
    const watch = setInterval(() => {
      if (!isValid()) stream.end();
      // A slow reader would only buffer more.
      else if (raw.writableLength === 0) feeds?.connectWaiting();
    }, CHECK_TOKEN_EVERY_MS).unref();
    raw.on("close", () => {
      clearInterval(watch);
      for (const name of requested.keys()) live.disconnect(name, reader);
    });
    for (const [name, lastId] of requested) {
      if (feeds) feeds.connect(name, lastId);
      else worlds.use(name, (world) => live.connect(world, lastId, reader));
    }
    return reply;
  });
};
