import type { FastifyReply } from "fastify";
import { type ErrorCode, errorCodes, Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";

/** Codes an operation with bare errors answers as JSON strings. */
export const errorBody = (refusal: Refusal, operation: Operation | null): unknown => {
  if (operation?.errorForm === "bare" && operation.errors.includes(refusal.code)) return refusal.code;
  return refusal.message === undefined ? { type: refusal.code } : { type: refusal.code, message: refusal.message };
};

/** Sends JSON text with its status. */
export const sendJson = (reply: FastifyReply, status: number, body: string | Buffer): FastifyReply => {
  reply.code(status).header("content-type", "application/json; charset=utf-8");
  if (status === 401) reply.header("www-authenticate", "Bearer");
  return reply.send(body);
};

/** Contract, "Errors": sends a refusal in the operation's form; returns the text that was sent. */
export const sendRefusal = (reply: FastifyReply, refusal: Refusal, operation: Operation | null): string => {
  const body = JSON.stringify(errorBody(refusal, operation));
  sendJson(reply, errorCodes[refusal.code].status, body);
  return body;
};

/** Sends a code that no operation declares. */
export const sendError = (reply: FastifyReply, code: ErrorCode, message: string): string =>
  sendRefusal(reply, new Refusal(code, message), null);
