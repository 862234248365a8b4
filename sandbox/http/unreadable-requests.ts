import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "../contract/errors.ts";
import { newId } from "../storage/new-id.ts";
import type { Connections } from "./connections.ts";

/** What was answered to what never became a request of the app. */
export interface UnreadableExchange {
  readonly id: string;
  readonly status: number;
  readonly type: ErrorCode;
  readonly message: string;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
  /** What could be read after all: the request without its body, or the bytes that arrived, as far as they are known. */
  readonly from: IncomingMessage | Buffer;
}

interface Problem {
  readonly status: number;
  readonly type: ErrorCode;
  readonly message: string;
}

const problems: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    type: "bad_request",
    message: "The address and headers are larger than 16 KiB together.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, type: "bad_request", message: "The request took too long to arrive." },
};

const unreadable: Problem = {
  status: 400,
  type: "bad_request",
  message: "This is no HTTP request that can be read.",
};

const tunnel: Problem = {
  status: 405,
  type: "method_not_allowed",
  message: "This service is no proxy: it takes no CONNECT.",
};

const expectation: Problem = {
  status: 417,
  type: "bad_request",
  message: "Of the header Expect only 100-continue is understood.",
};

const exchangeOf = ({ status, type, message }: Problem, from: UnreadableExchange["from"]): UnreadableExchange => {
  const id = newId();
  const responseBody = JSON.stringify({ type, message });
  const responseHeaders = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(responseBody)),
    "x-request-id": id,
    connection: "close",
  };
  return { id, status, type, message, responseHeaders, responseBody, from };
};

/** There is no response to write to: the answer is written by hand, and the connection ends with it. */
const endWith = (socket: Duplex, { status, responseHeaders, responseBody }: UnreadableExchange): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${responseBody}`);
};

/**
 * Answers what never becomes a request of the app, in the contract's form and with an `x-request-id` (D12): bytes that
 * are no HTTP, requests too slow or too large to be read, tunnels and unknown expectations.
 */
export class UnreadableRequests {
  readonly #open: (socket: Duplex) => readonly ServerResponse[];

  readonly #keep: (exchange: UnreadableExchange) => void;

  readonly #refused = new WeakSet<Duplex>();

  /**
   * @param open the answers of a connection that have not left, in the order they were asked for
   * @param keep is given each exchange for the record
   */
  constructor(open: (socket: Duplex) => readonly ServerResponse[], keep: (exchange: UnreadableExchange) => void) {
    this.#open = open;
    this.#keep = keep;
  }

  /** For Node's `clientError`. */
  readonly answer = (error: Error & { readonly code?: string; readonly rawPacket?: unknown }, socket: Socket): void => {
    if (error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const problem = problems[error.code ?? ""] ?? unreadable;
    // Until its end is through, Node tells of a connection at each look.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    // Browsers open connections ahead of what they may ask: that is no call.
    if (socket.bytesRead === 0) endWith(socket, exchangeOf(problem, Buffer.alloc(0)));
    else this.#refuse(socket, problem, Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0));
  };

  /** Whoever sent several requests at once reads the answers in their order: those to requests that were read come first. */
  #refuse(socket: Duplex, problem: Problem, from: UnreadableExchange["from"]): void {
    const exchange = exchangeOf(problem, from);
    this.#keep(exchange);
    const open = this.#open(socket);
    const earlier = open.findLast((response) => response.req.complete);
    if (earlier) earlier.once("close", () => endWith(socket, exchange));
    else if (open.some((response) => response.headersSent)) socket.destroy();
    else endWith(socket, exchange);
  }

  attach(server: Server, connections: Pick<Connections, "begin">): void {
    server.on("connect", (request: IncomingMessage, socket: Duplex) => {
      socket.on("error", () => socket.destroy());
      this.#refuse(socket, tunnel, request);
    });
    server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
      const exchange = exchangeOf(expectation, request);
      this.#keep(exchange);
      const { status, responseHeaders, responseBody } = exchange;
      connections.begin(request, response, () => response.writeHead(status, responseHeaders).end(responseBody));
    });
  }
}
