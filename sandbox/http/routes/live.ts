import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Refusal, refuse } from "../../contract/errors.ts";
import type { Reader } from "../../live-feed/live-feed.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/world-name.ts";
import { sendRefusal } from "../answers.ts";
import type { AppServices } from "../app-services.ts";
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

/** A response that stays open, as a reader of the live feed. */
export const streamReader = (raw: ServerResponse): Reader => ({
  write: (bytes) => {
    // One that has ended is there until its caller lets go, and what is written to it then would end the service.
    if (!raw.writableEnded) raw.write(bytes);
    return raw.writableLength;
  },
  onDrain: (run) => void raw.on("drain", run),
  end: () => {
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

/** What is said where {@link worldOf} finds none in an address. */
export const NO_WORLD_NAME = "The parameter world must be 1 to 64 of A–Z a–z 0–9 . _ -";

/** The world a call of the control plane names, if at all; null where it is no name of one. */
export const worldOf = (value: unknown): string | null => {
  const name = value === undefined ? DEFAULT_WORLD : value;
  return typeof name === "string" && isWorldName(name) ? name : null;
};

/** The id a reader says it saw last; one that cannot be read is of no entry, as -1 is. */
const idIn = (text: string): number => (/^\d+$/.test(text) ? Number(text) : -1);

/** As the audit log has it. */
const OPENS = { id: "live", effect: "read" } as const;

/** `GET /__sandbox/live?world=`: server-sent events of one world. */
export const liveRoute = (app: FastifyInstance, services: AppServices, streams: OpenStreams): void => {
  // A stream has no head to show without itself.
  app.get("/__sandbox/live", { exposeHeadRoute: false, config: { access: "asks" } }, (request, reply) => {
    const { world: given } = request.query as { readonly world?: unknown };
    const name = worldOf(given);
    const noted = (value: unknown): void =>
      void audit(request, services, { operation: OPENS, world: name, body: { world: given }, value });
    const refused = (refusal: Refusal): FastifyReply => {
      noted(refusal);
      return sendRefusal(reply, refusal, null);
    };
    const denied = refusedAccess(request.controlCaller, { needs: "view" }, { world: given });
    if (denied) return refused(denied);
    if (name === null) return refused(refuse("bad_request", NO_WORLD_NAME));
    const lastEventId = request.headers["last-event-id"];
    const lastId = lastEventId === undefined ? null : idIn(String(lastEventId));
    try {
      services.worlds.mustHave(name);
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
    const reader = streamReader(raw);
    const { isValid } = request.controlCaller;
    const watch = setInterval(() => isValid() || reader.end(), VALID_EVERY_MS).unref();
    raw.on("close", () => {
      clearInterval(watch);
      services.live.disconnect(name, reader);
    });
    services.worlds.use(name, (world) => services.live.connect(world, lastId, reader));
    return reply;
  });
};
