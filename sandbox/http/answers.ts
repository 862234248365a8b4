import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { type ErrorCode, errorCodes, Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { SANDBOX_RECEIVER_HEADER } from "../rules/webhooks/receiver.ts";

/** Codes an operation with bare errors answers as JSON strings. */
export const errorBody = (refusal: Refusal, operation: Operation | null): unknown => {
  if (operation?.errorForm === "bare" && operation.errors.includes(refusal.code)) return refusal.code;
  return refusal.message === undefined ? { type: refusal.code } : { type: refusal.code, message: refusal.message };
};

export const JSON_TYPE = "application/json; charset=utf-8";

/** Runs something once a caller has gone or has its answer: now, where that came about while something else was awaited. */
export const onceGone = (raw: ServerResponse, run: () => void): void => {
  if (raw.destroyed) run();
  else raw.once("close", run);
};

/** Sets what an answer in JSON has beside its text. */
export const headJson = (reply: FastifyReply, status: number, body: string | Buffer): void => {
  reply.code(status).header("content-type", JSON_TYPE).header("content-length", Buffer.byteLength(body));
  if (status === 401) reply.header("www-authenticate", "Bearer");
};

/** Sends JSON text with its status. */
export const sendJson = (reply: FastifyReply, status: number, body: string | Buffer): FastifyReply => {
  headJson(reply, status, body);
  return reply.send(body);
};

/**
 * Answers a notification as the sandbox's own receiver. It takes no credentials, so that its 401 names no scheme (D13).
 *
 * @param body null: none
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
