import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { type ErrorCode, errorCodes, Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { SANDBOX_RECEIVER_HEADER } from "../rules/webhooks/receiver.ts";

/** Body of an error. Operations with bare errors return the declared code as a JSON string. */
export const errorBody = (refusal: Refusal, operation: Operation | null): unknown => {
  if (operation?.errorForm === "bare" && operation.errors.includes(refusal.code)) return refusal.code;
  return refusal.message === undefined ? { type: refusal.code } : { type: refusal.code, message: refusal.message };
};

export const JSON_TYPE = "application/json; charset=utf-8";

/** Runs a callback when the response closes, or now if it already did. */
export const onDisconnect = (raw: ServerResponse, run: () => void): void => {
  if (raw.destroyed) run();
  else raw.once("close", run);
};

declare module "fastify" {
  interface FastifyRequest {
    /** Ends the call without a response; left out: its connection is closed. */
    end?: () => void;
  }
}

/** Closes a call's connection without a response. */
export const endUnanswered = (reply: FastifyReply): void => {
  reply.hijack();
  const { headers, raw, end } = reply.request;
  const close = () => void reply.raw.destroy();
  if (end) end();
  // Sends a byte first: browsers repeat a call if a reused connection closes without one.
  else if (headers["sec-fetch-site"] !== undefined) raw.socket.write("-", close);
  else close();
};

export const setJsonHeaders = (reply: FastifyReply, status: number, body: string | Buffer): void => {
  reply.code(status).header("content-type", JSON_TYPE).header("content-length", Buffer.byteLength(body));
  if (status === 401) reply.header("www-authenticate", "Bearer");
};

export const sendJson = (reply: FastifyReply, status: number, body: string | Buffer): FastifyReply => {
  setJsonHeaders(reply, status, body);
  return reply.send(body);
};

/**
 * Response of the sandbox's own receivers. They take no credentials, so a 401 names no scheme (D13).
 *
 * @param body null for none
 */
export const acknowledge = (reply: FastifyReply, status: number, body: object | null): FastifyReply => {
  reply.code(status).header(SANDBOX_RECEIVER_HEADER, "yes");
  return body === null ? reply.send() : reply.header("content-type", JSON_TYPE).send(JSON.stringify(body));
};

/** Contract, "Errors": a refusal in the operation's form, as JSON text. */
export const refusalText = (refusal: Refusal, operation: Operation | null): string =>
  JSON.stringify(errorBody(refusal, operation));

/** Contract, "Errors": sends a refusal in the operation's form. */
export const sendRefusal = (reply: FastifyReply, refusal: Refusal, operation: Operation | null): FastifyReply =>
  sendJson(reply, errorCodes[refusal.code].status, refusalText(refusal, operation));

/** Sends a code that no operation declares. */
export const sendError = (reply: FastifyReply, code: ErrorCode, message: string): FastifyReply =>
  sendRefusal(reply, new Refusal(code, message), null);
