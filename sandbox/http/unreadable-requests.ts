import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "../contract/errors.ts";
import type { Connections } from "./connections.ts";

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

const headersOf = (body: string): Record<string, string> => ({
  "content-type": "application/json; charset=utf-8",
  "content-length": String(Buffer.byteLength(body)),
  "x-request-id": randomUUID(),
  connection: "close",
});

const bodyOf = ({ type, message }: Problem): string => JSON.stringify({ type, message });

/** There is no response to write to: the answer is written by hand, and the connection ends with it. */
const endWith = (socket: Duplex, problem: Problem): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = bodyOf(problem);
  const head = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head.join("")}\r\n${body}`);
};

/**
 * Answers what never becomes a request of the app, in the contract's form and with an `x-request-id` (D12): bytes that
 * are no HTTP, requests too slow or too large to be read, tunnels and unknown expectations.
 */
export class UnreadableRequests {
  readonly #open: (socket: Duplex) => readonly ServerResponse[];

  /** @param open the answers of a connection that have not left, in the order they were asked for */
  constructor(open: (socket: Duplex) => readonly ServerResponse[]) {
    this.#open = open;
  }

  /** For Node's `clientError`. */
  readonly answer = (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    this.#refuse(socket, problems[error.code ?? ""] ?? unreadable);
  };

  /** Whoever sent several requests at once reads the answers in their order: those to requests that were read come first. */
  #refuse(socket: Duplex, problem: Problem): void {
    const open = this.#open(socket);
    const earlier = open.findLast((response) => response.req.complete);
    if (earlier) earlier.once("close", () => endWith(socket, problem));
    else if (open.some((response) => response.headersSent)) socket.destroy();
    else endWith(socket, problem);
  }

  attach(server: Server, connections: Pick<Connections, "begin">): void {
    server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
      socket.on("error", () => socket.destroy());
      this.#refuse(socket, tunnel);
    });
    server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
      const body = bodyOf(expectation);
      connections.begin(request, response, () => response.writeHead(expectation.status, headersOf(body)).end(body));
    });
  }
}
