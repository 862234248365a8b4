import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import { refuseUnrouted } from "../unrouted.ts";

/** Node's parser, as far as it is used here: the bytes it is reading. */
interface Parsed {
  readonly parser?: { readonly getCurrentBuffer?: () => Buffer | undefined } | null;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * Refuses requests of other protocols. Node reads lines without any, of versions it does not speak, and of RTSP; of these
 * it passes on no more than the version, so the line itself is looked for in the bytes that arrived.
 */
export class ProtocolCheck {
  /** What arrived on each connection before the bytes being read, as far back as a head may reach. */
  readonly #before = new WeakMap<Duplex, Buffer[]>();

  readonly #services: AppServices;

  constructor(server: Server, services: AppServices) {
    const { headerBytes } = services.limits;
    this.#services = services;
    server.on("connection", (socket) => {
      const before: Buffer[] = [];
      let bytes = 0;
      this.#before.set(socket, before);
      socket.on("data", (chunk: Buffer) => {
        const kept = chunk.length > headerBytes ? Buffer.from(chunk.subarray(-headerBytes)) : chunk;
        bytes += kept.length;
        before.push(kept);
        while (bytes - (before[0]?.length ?? 0) > headerBytes) bytes -= before.shift()?.length ?? 0;
      });
    });
  }

  /**
   * To be called before anything is waited for: Node's parser goes on to the next request meanwhile.
   *
   * @returns whether the request was refused
   */
  refuse(request: FastifyRequest, reply: FastifyReply): boolean {
    const protocol = this.#foreign(request.raw);
    if (protocol === null) return false;
    reply.header("connection", "close");
    const message = `The protocol of a request is HTTP/1.1 or HTTP/1.0; this one's is ${protocol}.`;
    refuseUnrouted(request, reply, this.#services, { kind: "unreadable", code: "bad_request", message });
    return true;
  }

  #foreign({ httpVersion, method, url, socket }: IncomingMessage): string | null {
    if (httpVersion === "0.9") return "none";
    if (httpVersion !== "1.0" && httpVersion !== "1.1") return httpVersion;
    const now = (socket as Parsed).parser?.getCurrentBuffer?.() ?? Buffer.alloc(0);
    if (now.includes(`${method} ${url} HTTP/${httpVersion}`, 0, "latin1")) return null;
    const all = Buffer.concat([...(this.#before.get(socket) ?? []), now]).toString("latin1");
    const rtsp = `RTSP/${httpVersion}`;
    return new RegExp(`${escaped(`${method}`)} +${escaped(`${url}`)} +${rtsp}`).test(all) ? rtsp : null;
  }
}
