import { findFaultByCode } from "../rules/webhooks/transport-faults.ts";

/** Progress of an attempt when it ended. */
export type Stage = "connecting" | "waiting" | "answering";

const readCode = (error: unknown): string => {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && "code" in first ? String(first.code) : "";
};

/** A failure the service itself detected, with a message for people. */
export class OwnError extends Error {}

/** Notifications may not be sent to this address. */
export class ForbiddenAddressError extends OwnError {
  constructor(hostname: string, address: string) {
    super(`${hostname} resolves to ${address}, where notifications may not be sent`);
  }
}

/** A host name couldn't be resolved. */
export class UnresolvedError extends OwnError {
  constructor(reason: unknown) {
    const code = readCode(reason);
    const isNone = code === "ENOTFOUND" || code === "ENODATA";
    super(isNone ? "the host name was not found" : `the host name could not be looked up (${code || String(reason)})`);
  }
}

/** An attempt exceeded its time limit. */
export class OverdueError extends OwnError {
  constructor(limitMs: number, stage: Stage) {
    const what = { connecting: "no connection", waiting: "no response", answering: "the response didn’t end" }[stage];
    super(`${what} within ${limitMs / 1_000} s`);
  }
}

const TLS = /^(ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/;

const connecting: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused: nothing listens at this address",
  ETIMEDOUT: "no connection: the address does not respond",
  UND_ERR_CONNECT_TIMEOUT: "no connection: the address does not respond",
  ECONNRESET: "the receiver closed the connection as soon as it was opened",
};

export const describeFailure = (error: Error, stage: Stage): string => {
  if (error instanceof OwnError) return error.message;
  const code = readCode(error);
  if (stage === "connecting") {
    const known = findFaultByCode(code)?.says ?? connecting[code];
    // The code is more useful than OpenSSL's message.
    return known ?? (TLS.test(code) ? `TLS failed: ${code}` : `no connection: ${error.message}`);
  }
  // Undici's other connection errors concern the received data.
  const isClosed = code === "ECONNRESET" || code === "EPIPE" || error.message === "other side closed";
  if (!isClosed) return `the response is not HTTP/1.1: ${error.message}`;
  return stage === "answering"
    ? "the response broke off: the receiver closed the connection in the middle of it"
    : "the receiver closed the connection without a response";
};
