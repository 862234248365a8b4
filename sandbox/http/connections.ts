import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { ConnectionLimits } from "../config.ts";

/** Requests of one connection that wait for their answers; nobody who reads answers sends as many ahead. */
const MOST_UNANSWERED = 100;
/** So many requests that were sent ahead are looked at before whatever else has arrived. */
const A_FEW = 8;

/**
 * The connections of callers, and what each has been asked and has not answered yet. One that does not read its answers
 * is ended, and where there are too many, one that waits for its own caller, or has more than one request, makes room.
 */
export class Connections {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  /** The open answers of each in the order they were asked for; where nothing happened for longest comes first. */
  readonly #open = new Map<Duplex, ServerResponse[]>();
  /** Requests that were sent ahead and whose turn has come: a thousand callers that do so must not hold up one that does not. */
  readonly #line: (() => void)[] = [];
  #closing = false;

  constructor(server: Server, limits: ConnectionLimits) {
    this.#server = server;
    this.#limits = limits;
    // Node's timer starts again whenever bytes arrive or leave.
    server.timeout = limits.unreadMs;
    server.on("timeout", (socket) => {
      if (socket.writableLength > 0 || this.open(socket).length === 0) socket.destroy();
    });
    server.on("connection", (socket) => {
      this.#open.set(socket, []);
      socket.once("close", () => this.#open.delete(socket));
      this.#makeRoom(socket);
    });
  }

  /** What a connection has not answered yet, in the order it was asked. */
  open(socket: Duplex): readonly ServerResponse[] {
    return this.#open.get(socket) ?? [];
  }

  /**
   * Notes a request, and lets it be looked at when the answer before it on its connection has left: Node hands over
   * requests that arrive at once side by side, but what is no mere lookup may depend on the one before (RFC 9112, 9.3.2).
   * After an answer that ended the connection it never is: its caller would not learn what came of it.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse, begun: () => void): void {
    const go = (): void => {
      if (!socket.writableEnded) begun();
    };
    const open = this.#open.get(socket) ?? [];
    const earlier = open.at(-1);
    open.push(response);
    this.#moved(socket, open);
    response.once("close", () => {
      open.splice(open.indexOf(response), 1);
      this.#moved(socket, open);
      if (this.#closing && open.length === 0) socket.destroy();
    });
    if (open.length > MOST_UNANSWERED) socket.destroy();
    else if (earlier) earlier.once("close", () => this.#line.push(go) === 1 && setImmediate(this.#next));
    else go();
  }

  /**
   * Stops accepting and finishes what is in flight. Node alone would wait for connections that never sent a request
   * (browsers open them ahead), and without end for a caller that stalls in its request.
   */
  async close(app: FastifyInstance): Promise<void> {
    this.#closing = true;
    const closing = app.close();
    for (const [socket, open] of this.#open) if (open.length === 0) socket.destroy();
    const patience = setTimeout(() => this.#server.closeAllConnections(), this.#limits.stopMs);
    await closing.finally(() => clearTimeout(patience));
  }

  readonly #next = (): void => {
    for (const go of this.#line.splice(0, A_FEW)) go();
    if (this.#line.length > 0) setImmediate(this.#next);
  };

  #moved(socket: Duplex, open: ServerResponse[]): void {
    if (this.#open.delete(socket)) this.#open.set(socket, open);
  }

  #makeRoom({ remoteAddress }: Socket): void {
    const { connections, connectionsPerAddress } = this.#limits;
    if (this.#open.size <= connectionsPerAddress) return;
    const same = (socket: Duplex): boolean => (socket as Socket).remoteAddress === remoteAddress;
    const all = [...this.#open.keys()];
    if (all.filter(same).length > connectionsPerAddress) this.#endOne(all.filter(same));
    else if (all.length > connections) this.#endOne(all);
  }

  /** Not one that waits for the service alone; the newest is ended itself where all others do. */
  #endOne(sockets: readonly Duplex[]): void {
    const ended = sockets.find((socket) => {
      const [first, second] = this.open(socket);
      return first === undefined || second !== undefined || socket.writableLength > 0 || !first.req.complete;
    });
    if (!ended) return;
    this.#open.delete(ended);
    ended.destroy();
  }
}
