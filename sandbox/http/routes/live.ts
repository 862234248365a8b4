import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { Refusal, refuse } from "../../contract/errors.ts";
import { namedBytes, type Reader } from "../../live-feed/live-feed.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/worlds/world-name.ts";
import { NoSuchWorldError } from "../../worlds/world-errors.ts";
import { sendRefusal } from "../answers.ts";
import { audit } from "../audit.ts";
import { type ControlCaller, refusedAccess } from "../control-access.ts";

/** How long a reader whose stream has ended may take what is on its way; then its connection is cut. */
const LAST_WORDS_MS = 10_000;
/** So often a stream looks whether its token is still valid. */
const VALID_EVERY_MS = 1_000;

/** Begins a response of server-sent events, which stays open. */
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

/** A response that stays open, as a reader of the live feed of one world. */
export const streamReader = (raw: ServerResponse) => ({
  write: (bytes: Buffer): number => {
    // One that has ended is there until its caller lets go, and what is written to it then would end the service.
    if (!raw.writableEnded) raw.write(bytes);
    return raw.writableLength;
  },
  onDrain: (run: () => void): void => void raw.on("drain", run),
  end: (): void => {
    if (raw.writableEnded) return;
    raw.end();
    // One that takes nothing at all would keep what waits for it for ever.
    const timer = setTimeout(() => raw.destroy(), LAST_WORDS_MS).unref();
    raw.once("close", () => clearTimeout(timer));
  },
});

/** Counts the streams that stay open: those of one token can't use up the connections of all others (D86). */
export class OpenStreams {
  readonly #byToken = new Map<string, number>();
  readonly #services: Pick<AppServices, "quotas" | "limits">;
  #all = 0;

  constructor(services: Pick<AppServices, "quotas" | "limits">) {
    this.#services = services;
  }

  /** Counts a stream until its response is closed. @returns why it can't be opened; null: it can */
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
    // Its caller may have hung up by now: it is closed already.
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

/** What is said where {@link parseLiveWorld} finds none in an address. */
export const NO_WORLD_NAME = "The parameter world must be 1 to 64 of A–Z a–z 0–9 . _ -";

/** The world a call of the control plane names, if at all; null where it is no name of one. */
export const parseLiveWorld = (value: unknown): string | null => {
  const name = value === undefined ? DEFAULT_WORLD : value;
  return typeof name === "string" && isWorldName(name) ? name : null;
};

/** The id a reader says it saw last; one that cannot be read is of no entry, as -1 is. */
const idIn = (text: string): number => (/^\d+$/.test(text) ? Number(text) : -1);

/** The worlds a stream is asked for, each with the id that was seen last of it; null: none was. */
type Asked = ReadonlyMap<string, number | null>;

/** As many as a person has windows of. */
const MOST_WORLDS = 64;
const NO_WORLDS = `The parameter worlds is 1 to ${MOST_WORLDS} names of worlds, each with the id that was seen last of it: qa:17,default`;

const severalIn = (text: unknown): Asked | null => {
  const all = typeof text === "string" ? text.split(",").map((one) => one.split(":")) : [];
  const fits = all.every(([name = "", , ...more]) => isWorldName(name) && more.length === 0);
  if (!fits || all.length === 0 || all.length > MOST_WORLDS) return null;
  return new Map(all.map(([name = "", id]) => [name, id === undefined ? null : idIn(id)]));
};

const askedBy = ({ query, headers }: FastifyRequest, isAlone: boolean): Asked | Refusal => {
  const { world: given, worlds } = query as { readonly world?: unknown; readonly worlds?: unknown };
  if (worlds !== undefined) {
    // Each is served by the node that holds it.
    if (!isAlone)
      return refuse("bad_request", "With several nodes each stream is of one world: use the parameter world.");
    return severalIn(worlds) ?? refuse("bad_request", NO_WORLDS);
  }
  const name = parseLiveWorld(given);
  const lastId = headers["last-event-id"];
  return name === null
    ? refuse("bad_request", NO_WORLD_NAME)
    : new Map([[name, lastId === undefined ? null : idIn(String(lastId))]]);
};

/** As the audit log has it. */
const OPENS = { id: "live", effect: "read" } as const;

/** A reader of several worlds over one stream: what is of another world than before comes after that world's name. */
class SeveralFeeds implements Reader {
  readonly #services: Pick<AppServices, "live" | "worlds">;
  readonly #stream: ReturnType<typeof streamReader>;
  readonly #drained = new Map<string, () => void>();
  /** Worlds that are not there, or whose feed has ended. */
  readonly #waiting = new Set<string>();
  /** The world that the stream was last of. */
  #last = "";

  constructor(services: Pick<AppServices, "live" | "worlds">, stream: ReturnType<typeof streamReader>) {
    this.#services = services;
    this.#stream = stream;
    stream.onDrain(() => {
      for (const run of this.#drained.values()) run();
    });
  }

  write(bytes: Buffer, world: string): number {
    const named = world === this.#last ? bytes : Buffer.concat([namedBytes("of_world", { world }), bytes]);
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

  /** @param lastId null: from what is newest */
  connect(name: string, lastId: number | null): void {
    const { worlds, live } = this.#services;
    const isNews = !this.#waiting.delete(name);
    try {
      worlds.mustHave(name);
      worlds.use(name, (world) => live.connect(world, lastId, this));
    } catch (error) {
      this.#waiting.add(name);
      const reason = error instanceof Error ? error.message : String(error);
      if (isNews) this.write(namedBytes("missing", { is_there: !(error instanceof NoSuchWorldError), reason }), name);
    }
  }

  /** Begins anew with what is not there or has ended. */
  connectWaiting(): void {
    for (const name of [...this.#waiting]) this.connect(name, null);
  }
}

/**
 * `GET /__sandbox/live?world=`: server-sent events of one world. `?worlds=`: of several over one connection, for the
 * windows of a browser, which allows six connections to a service ({@link LiveControl} has what is said beside entries).
 */
export const liveRoute = (app: FastifyInstance, services: AppServices, streams: OpenStreams): void => {
  // A stream has no head to show without itself.
  app.get("/__sandbox/live", { exposeHeadRoute: false, config: { access: "asks" } }, (request, reply) => {
    const { live, worlds } = services;
    const { world: given, worlds: several } = request.query as Readonly<Record<string, unknown>>;
    const asked = askedBy(request, services.placement === undefined);
    const names = asked instanceof Refusal ? [parseLiveWorld(given)] : [...asked.keys()];
    const noted = (value: unknown): void => {
      for (const world of names)
        void audit(request, services, { operation: OPENS, world, body: { world: world ?? given }, value });
    };
    const refused = (refusal: Refusal): FastifyReply => {
      noted(refusal);
      return sendRefusal(reply, refusal, null);
    };
    for (const world of asked instanceof Refusal ? [given] : several === undefined ? [given] : names) {
      const denied = refusedAccess(request.controlCaller, { needs: "view" }, { world });
      if (denied) return refused(denied);
    }
    if (asked instanceof Refusal) return refused(asked);
    try {
      if (several === undefined) for (const name of asked.keys()) worlds.mustHave(name);
    } catch (error) {
      noted(error);
      throw error;
    }
    const full = streams.open(request.controlCaller, reply.raw);
    if (full) return refused(full);
    noted(null);
    // Whoever has gone by now would never be disconnected.
    if (reply.raw.destroyed) return reply.hijack();
    const raw = openStream(request, reply);
    const stream = streamReader(raw);
    const feeds = several === undefined ? null : new SeveralFeeds(services, stream);
    const reader = feeds ?? stream;
    const { isValid } = request.controlCaller;
    const watch = setInterval(() => {
      if (!isValid()) stream.end();
      // Of a reader that takes too little, what it takes more of would wait as well.
      else if (raw.writableLength === 0) feeds?.connectWaiting();
    }, VALID_EVERY_MS).unref();
    raw.on("close", () => {
      clearInterval(watch);
      for (const name of asked.keys()) live.disconnect(name, reader);
    });
    for (const [name, lastId] of asked) {
      if (feeds) feeds.connect(name, lastId);
      else worlds.use(name, (world) => live.connect(world, lastId, reader));
    }
    return reply;
  });
};
