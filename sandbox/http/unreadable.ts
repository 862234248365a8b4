import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import type { AppServices } from "../app-services.ts";
import type { ConnectionLimits } from "../config.ts";
import { newId } from "../storage/new-id.ts";

const problems: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: "The address and headers together exceed 16 KiB. Send less, such as fewer cookies.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
};
const unreadable = { status: 400, message: "This is not a valid HTTP/1.1 request." };

let seen = 0;

/** Requests whose bodies may still arrive, by connection. Without their bodies, which idle connections would keep. */
const arriving = new WeakMap<Socket, Pick<FastifyRequest, "id" | "raw">>();
export const noteArriving = ({ id, raw }: FastifyRequest): void => {
  arriving.set(raw.socket, { id, raw });
};
/** How a request ended within its body, and the status of its response. */
export interface CutOff {
  readonly code: string;
  readonly status: number;
}
const cutOff = new WeakMap<IncomingMessage, CutOff>();
/** How a request ended within its body; null if it got no response. */
export const findCutOff = ({ raw }: FastifyRequest): CutOff | null => cutOff.get(raw) ?? null;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
/** Last request of each connection. Node sends responses in the order of their requests. */
const lastExchange = new WeakMap<Socket, Exchange>();
export const noteExchange = (request: IncomingMessage, response: ServerResponse): void => {
  lastExchange.set(request.socket, { request, response });
};
const isAnswering = ({ request, response }: Exchange): boolean => request.complete || response.headersSent;
/** Checks whether a response is still to come, of this call or of earlier ones. */
const isUnderWay = (one: Exchange): boolean =>
  !one.response.writableFinished && (isAnswering(one) || one.response.socket === null);

/** Connections that end after the response to the call under way. */
const ending = new WeakSet<Socket>();
/** Ends a connection after its last response, or when one without traffic would end. @param refuse refuses the last */
const endAfter = (last: Exchange, socket: Socket, { inactiveMs }: ConnectionLimits, refuse: () => void): void => {
  const { response } = last;
  ending.add(socket);
  const timer = setTimeout(() => socket.destroy(), inactiveMs).unref();
  socket.once("close", () => clearTimeout(timer));
  if (isAnswering(last)) {
    response.shouldKeepAlive = false;
    response.once("finish", () => socket.destroySoon());
    return;
  }
  response.once("socket", () => {
    ending.delete(socket);
    refuse();
  });
};

/**
 * Responds to unparsable requests and closes the connection (D91). Only a count is logged. A call under way gets its own
 * response instead: such bytes often belong to its body, beyond a `Content-Length` that counts characters.
 */
export const refuseUnreadable = (
  { log, limits }: Pick<AppServices, "log" | "limits">,
  error: Error & { readonly code?: string },
  socket: Socket,
): void => {
  if (ending.has(socket)) return;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  // Browsers open connections in advance, so an unused one isn't a call.
  if (socket.bytesRead > 0) {
    seen += 1;
    log.info("a request could not be read", { code: error.code ?? "", unreadable_requests: seen });
  }
  const last = lastExchange.get(socket);
  if (last && isUnderWay(last)) {
    endAfter(last, socket, limits, () => refuseUnreadable({ log, limits }, error, socket));
    return;
  }
  const { status, message } = problems[error.code ?? ""] ?? unreadable;
  const request = arriving.get(socket);
  const isWithin = request !== undefined && !request.raw.complete;
  if (isWithin) cutOff.set(request.raw, { code: error.code ?? "", status });
  const body = JSON.stringify({ type: "bad_request", message });
  const head = `x-request-id: ${isWithin ? request.id : newId()}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n\r\n${body}`);
};

/** Responds to an `Expect` header other than `100-continue`. Node's own response has no request ID (D12). */
export const refuseExpectation = (response: ServerResponse): void => {
  const body = JSON.stringify({ type: "bad_request", message: "The header Expect may only be 100-continue." });
  response.writeHead(417, {
    "x-request-id": newId(),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
};
