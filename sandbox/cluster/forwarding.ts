import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Pool } from "undici";
import { endUnanswered, onDisconnect } from "../http/answers.ts";
import { sameSecret } from "../secrets/keys.ts";
import { realTime } from "../storage/real-time.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { Owner } from "./ownership.ts";

/** By this header a node says whose call it sends on, and proves that it is one; and an owner what its response can't say. */
export const FORWARDED_HEADER = "x-sandbox-forwarded";
/** Of one connection: each node has its own. */
const OF_A_CONNECTION = /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect)$/i;
const MOST_WAITED_MS = 10_000;
const REACHED_MS = 1_000;
/** A call may be held up for as long as its caller waits. */
const OPTIONS = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: REACHED_MS, pipelining: 1 };

/** It has no such world, and did nothing; it ended the call without a response. */
export type Outcome = "elsewhere" | "ended";

/** What an owner has to know of a call that arrived at another node. */
export interface Forwarded {
  readonly node: string;
  /** As long as it waits for its world, by the database's clock. */
  readonly until: number;
  /** The address of its caller, and that of the connection that it came over: a proxy's, perhaps. */
  readonly ip: string;
  readonly peer: string;
}

/** A call that had been sent to its owner, and what became of it there is not known. */
class UnansweredError extends NotDurableError {
  constructor() {
    const message = "The node that has this world did not respond. Check whether a change was made, then try again.";
    super(undefined, message);
  }
}

type Lines = readonly string[];

/** @param lines names and values in turn */
const without = (lines: Lines, is: (name: string) => boolean): string[] =>
  lines.filter((_, at) => !is(lines[at - (at % 2)] ?? ""));

const isOfConnection = (name: string): boolean => OF_A_CONNECTION.test(name) || name.toLowerCase() === FORWARDED_HEADER;

/** Begins a response with the head of another one. */
const begin = (reply: FastifyReply, status: number, lines: Lines): ServerResponse => {
  reply.hijack();
  const { raw, server } = reply;
  // A connection that is kept would hold the stop up.
  if (!server.server.listening) raw.setHeader("connection", "close");
  for (let at = 0; at + 1 < lines.length; at += 2) raw.appendHeader(lines[at] ?? "", lines[at + 1] ?? "");
  raw.writeHead(status);
  raw.flushHeaders();
  return raw;
};

/** Sends calls on to the nodes that have their worlds. */
export class Forwarding {
  readonly #node: string;
  readonly #key: string;
  /** By their identifiers. */
  readonly #nodes = new Map<string, Pool>();
  /** How many calls were sent on. */
  sent = 0;

  /** @param key what the nodes of this cluster have in common, and nobody else */
  constructor(node: string, key: string) {
    this.#node = node;
    this.#key = key;
  }

  #sign({ method, url }: FastifyRequest["raw"], said: string): string {
    return createHmac("sha256", this.#key).update(`${method} ${url} ${said}`).digest("base64url");
  }

  /** What another node says of a call that it sent on; null: no node did. It is on no record. */
  take({ raw }: FastifyRequest): Forwarded | null {
    const header = raw.headers[FORWARDED_HEADER];
    if (header === undefined) return null;
    const [said = "", signature = ""] = String(header).split(".", 2);
    if (!sameSecret(signature, this.#sign(raw, said))) return null;
    const forwarded = JSON.parse(Buffer.from(said, "base64url").toString()) as Forwarded;
    if (Math.abs(forwarded.until - realTime()) > MOST_WAITED_MS) return null;
    delete raw.headers[FORWARDED_HEADER];
    raw.rawHeaders = without(raw.rawHeaders, (name) => name.toLowerCase() === FORWARDED_HEADER);
    return forwarded;
  }

  #mark({ raw, ip, until }: FastifyRequest): string {
    const waits = realTime() + until - performance.now();
    const about: Forwarded = { node: this.#node, until: waits, ip, peer: raw.socket.remoteAddress ?? "" };
    const said = Buffer.from(JSON.stringify(about)).toString("base64url");
    return `${said}.${this.#sign(raw, said)}`;
  }

  /**
   * Has a call be answered by the node that has its world. One that may have been taken there is not sent twice.
   *
   * @param content its body; a stream is read only once there is a connection
   * @returns whether it was answered; not: that node has the world no more, or can't be reached, and it was not taken
   * @throws UnansweredError where what became of it is not known
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
    const headers = [...without(raw.rawHeaders, isOfConnection), FORWARDED_HEADER, this.#mark(request)];
    const body = content instanceof Readable ? Readable.from(piecesOf(content), { objectMode: false }) : content;
    const answered = Promise.withResolvers<boolean>();
    let isSent = false;
    let outcome: Outcome | null = null;
    let to: ServerResponse | null = null;
    const call = { method: raw.method as "POST", path: raw.url ?? "/", headers, body };
    pool.dispatch(call, {
      onRequestStart: (controller) => {
        isSent = true;
        onDisconnect(reply.raw, () => controller.abort(new Error("the caller has gone")));
      },
      onResponseStart: (controller, status, answer) => {
        if (status < 200) return;
        outcome = (answer[FORWARDED_HEADER] ?? null) as Outcome | null;
        if (outcome === "ended" || (outcome === "elsewhere" && !(content instanceof Readable))) return;
        this.sent += 1;
        const lines = (controller.rawHeaders as Buffer[]).map((part) => part.toString("latin1"));
        to = begin(reply, status, without(lines, isOfConnection)).on("drain", () => controller.resume());
      },
      onResponseData: (controller, chunk) => {
        if (to?.write(chunk) === false) controller.pause();
      },
      onResponseEnd: () => {
        to?.end();
        if (outcome === "ended") endUnanswered(reply);
        answered.resolve(to !== null || outcome === "ended");
      },
      onResponseError: (_controller, error) => {
        // Its caller finds out that the response is not whole.
        to?.destroy();
        if (!to && !reply.raw.destroyed) return answered.reject(error);
        reply.hijack();
        return answered.resolve(true);
      },
    });
    try {
      return await answered.promise;
    } catch {
      const isSafe = ["GET", "HEAD"].includes(raw.method ?? "") || request.routeOptions.config.effect === "read";
      if (isSent && (!isSafe || content instanceof Readable)) throw new UnansweredError();
      return false;
    }
  }

  /** Gives up the calls that were sent on to nodes which have died since: a machine that is gone closes no connection. */
  async endDead(alive: () => Promise<ReadonlySet<string>>): Promise<void> {
    if (this.#nodes.size === 0) return;
    const known = await alive();
    for (const [node, pool] of [...this.#nodes]) {
      if (known.has(node)) continue;
      this.#nodes.delete(node);
      void pool.destroy();
    }
  }

  /** Ends what is still under way. */
  stop(): void {
    for (const pool of this.#nodes.values()) void pool.destroy();
  }
}

async function* piecesOf(content: Readable): AsyncGenerator<Buffer> {
  yield* content;
}
