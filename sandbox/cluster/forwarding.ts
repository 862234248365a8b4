// Sends calls on to the nodes that own their worlds.
import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Pool } from "undici";
import { endUnanswered, onDisconnect } from "../http/answers.ts";
import type { HostFault } from "../http/plugins/admission.ts";
import { sameSecret } from "../secrets/keys.ts";
import { realTime } from "../storage/real-time.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { Owner } from "./ownership.ts";

/** Header that marks a forwarded call, signed by the sending node, and an owner's {@link Outcome}. */
export const FORWARDED_HEADER = "x-sandbox-forwarded";
/** Headers that belong to one connection and are not forwarded. */
const CONNECTION_HEADERS = /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect)$/i;
const MAX_WAIT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 1_000;
/** No response timeouts: a call may last as long as its caller waits. */
const OPTIONS = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: CONNECT_TIMEOUT_MS, pipelining: 1 };

/** elsewhere: the node does not own the world and did nothing; ended: it ended the call without a response. */
export type Outcome = "elsewhere" | "ended";

/** Facts about a forwarded call that its owner needs. */
export interface ForwardedCall {
  readonly node: string;
  /** Deadline for waiting for its world, on the database's clock. */
  readonly until: number;
  /** Address of the caller, and of its connection, which may be a proxy's. */
  readonly ip: string;
  readonly peer: string;
  /** Verdict of the node that the caller reached; absent: that node has an older version. */
  readonly hostFault?: HostFault;
}

/** A forwarded call has an unknown outcome. */
class UnansweredError extends NotDurableError {
  constructor() {
    const message = "The node that has this world did not respond. Check whether a change was made, then try again.";
    super(undefined, message);
  }
}

type Lines = readonly string[];

/** @param lines alternating names and values */
const removeHeaders = (lines: Lines, isDropped: (name: string) => boolean): string[] =>
  lines.filter((_, at) => !isDropped(lines[at - (at % 2)] ?? ""));

const isConnectionHeader = (name: string): boolean =>
  CONNECTION_HEADERS.test(name) || name.toLowerCase() === FORWARDED_HEADER;

/** Sends the status and headers of another response. */
const beginResponse = (reply: FastifyReply, status: number, lines: Lines): ServerResponse => {
  reply.hijack();
  const { raw, server } = reply;
  // A kept-alive connection would delay the stop.
  if (!server.server.listening) raw.setHeader("connection", "close");
  for (let at = 0; at < lines.length; at += 2) raw.appendHeader(lines[at] ?? "", lines[at + 1] ?? "");
  raw.writeHead(status);
  raw.flushHeaders();
  return raw;
};

/** Forwards calls to the nodes that own their worlds. */
export class Forwarding {
  readonly #node: string;
  readonly #key: string;
  /** Connections by node ID. */
  readonly #nodes = new Map<string, Pool>();
  /** Number of forwarded calls. */
  sent = 0;

  /** @param key secret that only the nodes of this cluster share */
  constructor(node: string, key: string) {
    this.#node = node;
    this.#key = key;
  }

  #sign({ method, url }: FastifyRequest["raw"], payload: string): string {
    return createHmac("sha256", this.#key).update(`${method} ${url} ${payload}`).digest("base64url");
  }

  /**
   * Verifies the forwarding header and removes what the sending node added, so that it isn't recorded.
   *
   * @returns null for a call without a valid one
   */
  takeMark({ raw }: FastifyRequest): ForwardedCall | null {
    const header = raw.headers[FORWARDED_HEADER];
    if (header === undefined) return null;
    const [payload = "", signature = ""] = String(header).split(".", 2);
    if (!sameSecret(signature, this.#sign(raw, payload))) return null;
    const forwarded = JSON.parse(Buffer.from(payload, "base64url").toString()) as ForwardedCall;
    if (Math.abs(forwarded.until - realTime()) > MAX_WAIT_MS) return null;
    // The HTTP client adds a missing Host header.
    const added = forwarded.hostFault === "missing" ? [FORWARDED_HEADER, "host"] : [FORWARDED_HEADER];
    for (const name of added) delete raw.headers[name];
    raw.rawHeaders = removeHeaders(raw.rawHeaders, (name) => added.includes(name.toLowerCase()));
    return forwarded;
  }

  #mark({ raw, ip, until, hostFault }: FastifyRequest): string {
    const waits = realTime() + until - performance.now();
    const about: ForwardedCall = {
      node: this.#node,
      until: waits,
      ip,
      peer: raw.socket.remoteAddress ?? "",
      hostFault,
    };
    const payload = Buffer.from(JSON.stringify(about)).toString("base64url");
    return `${payload}.${this.#sign(raw, payload)}`;
  }

  /**
   * Forwards a call to the owner of its world. A call that may have had an effect is not sent twice.
   *
   * @param content the body; a stream is read only after connecting
   * @returns false if the node no longer owns the world or can't be reached: the call had no effect
   * @throws UnansweredError if the outcome is unknown
   */
  async send(
    { node, address }: Owner,
    request: FastifyRequest,
    reply: FastifyReply,
    content: Buffer | Readable | null,
  ): Promise<boolean> {
    const pool = this.#nodes.get(node) ?? new Pool(address, OPTIONS);
    this.#nodes.set(node, pool);
    const { raw } = request;
    const headers = [...removeHeaders(raw.rawHeaders, isConnectionHeader), FORWARDED_HEADER, this.#mark(request)];
    const body = content instanceof Readable ? Readable.from(readPieces(content), { objectMode: false }) : content;
    const wasAnswered = Promise.withResolvers<boolean>();
    let isSent = false;
    let outcome: Outcome | null = null;
    let to: ServerResponse | null = null;
    const call = { method: raw.method as "POST", path: raw.url ?? "/", headers, body };
    pool.dispatch(call, {
      onRequestStart: (controller) => {
        isSent = true;
        onDisconnect(reply.raw, () => controller.abort(new Error("the caller has gone")));
      },
      onResponseStart: (controller, status, responseHeaders) => {
        if (status < 200) return;
        outcome = (responseHeaders[FORWARDED_HEADER] ?? null) as Outcome | null;
        if (outcome === "ended" || (outcome === "elsewhere" && !(content instanceof Readable))) return;
        this.sent += 1;
        const lines = (controller.rawHeaders as Buffer[]).map((part) => part.toString("latin1"));
        to = beginResponse(reply, status, removeHeaders(lines, isConnectionHeader)).on("drain", () =>
          controller.resume(),
        );
      },
      onResponseData: (controller, chunk) => {
        if (to?.write(chunk) === false) controller.pause();
      },
      onResponseEnd: () => {
        to?.end();
        if (outcome === "ended") endUnanswered(reply);
        wasAnswered.resolve(to !== null || outcome === "ended");
      },
      onResponseError: (_controller, error) => {
        // Aborts the response, so that the caller notices it is incomplete.
        to?.destroy();
        if (!to && !reply.raw.destroyed) return wasAnswered.reject(error);
        reply.hijack();
        return wasAnswered.resolve(true);
      },
    });
    try {
      return await wasAnswered.promise;
    } catch {
      const isSafe = ["GET", "HEAD"].includes(raw.method ?? "") || request.routeOptions.config.effect === "read";
      if (isSent && (!isSafe || content instanceof Readable)) throw new UnansweredError();
      return false;
    }
  }

  /** Aborts calls that were forwarded to nodes that have died, because a lost machine closes no connection. */
  async endDead(alive: () => Promise<ReadonlySet<string>>): Promise<void> {
    if (this.#nodes.size === 0) return;
    const known = await alive();
    for (const [node, pool] of [...this.#nodes]) {
      if (known.has(node)) continue;
      this.#nodes.delete(node);
      void pool.destroy();
    }
  }

  /** Aborts all forwarded calls. */
  stop(): void {
    for (const pool of this.#nodes.values()) void pool.destroy();
  }
}

async function* readPieces(content: Readable): AsyncGenerator<Buffer> {
  yield* content;
}
