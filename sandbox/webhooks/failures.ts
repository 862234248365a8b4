/** How far an attempt had come when it ended. */
export type Stage = "connecting" | "waiting" | "answering";

const codeOf = (error: unknown): string => {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && "code" in first ? String(first.code) : "";
};

/** The address is one that notifications may not be sent to. */
export class ForbiddenAddressError extends Error {
  readonly code = "FORBIDDEN_ADDRESS";

  constructor(hostname: string, address: string) {
    super(`${hostname} resolves to ${address}, where notifications may not be sent`);
  }
}

/** No address is known for a name. */
export class UnresolvedError extends Error {
  constructor(reason: unknown) {
    const code = codeOf(reason);
    const isNone = code === "ENOTFOUND" || code === "ENODATA";
    super(isNone ? "the host name was not found" : `the host name could not be looked up (${code || String(reason)})`);
  }
}

export class AnswerTooLongError extends Error {
  constructor() {
    super("the answer is longer than 64 KiB, heads, interim answers and trailers counted");
  }
}

/** The time of an attempt was up. */
export class OverdueError extends Error {
  readonly limitMs: number;

  constructor(limitMs: number) {
    super("overdue");
    this.limitMs = limitMs;
  }
}

const connectWords: Record<string, string> = {
  ECONNREFUSED: "connection refused: nothing listens at this address",
  ETIMEDOUT: "no connection: the address does not answer",
  UND_ERR_CONNECT_TIMEOUT: "no connection: the address does not answer",
  EHOSTUNREACH: "no connection: there is no way to this host",
  ENETUNREACH: "no connection: there is no way to this network",
  EADDRNOTAVAIL: "no connection: this machine has no address left to connect from",
  EMFILE: "no connection: this machine has too many files open",
  ECONNRESET: "the receiver closed the connection as soon as it was opened",
  DEPTH_ZERO_SELF_SIGNED_CERT: "TLS failed: the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "TLS failed: the certificate's issuer is self-signed and not known here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "TLS failed: the certificate's issuer is not known here, or was not sent with it",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "TLS failed: the certificate's issuer is not known here",
  CERT_HAS_EXPIRED: "TLS failed: the certificate has expired",
  CERT_NOT_YET_VALID: "TLS failed: the certificate is not valid yet",
  CERT_REVOKED: "TLS failed: the certificate was revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "TLS failed: the certificate is for another name",
  EPROTO: "TLS failed: the receiver does not speak TLS at this port, or refused the handshake",
};

const waitedFor: Record<Stage, string> = {
  connecting: "no connection",
  waiting: "no answer",
  answering: "the answer did not end",
};

/** Why an attempt ended without a whole answer, in words. */
export const describeFailure = (error: Error, stage: Stage): string => {
  if (error instanceof OverdueError) return `${waitedFor[stage]} within ${error.limitMs / 1_000} s`;
  const own = [AnswerTooLongError, ForbiddenAddressError, UnresolvedError];
  if (own.some((kind) => error instanceof kind)) return error.message;
  const code = codeOf(error);
  if (stage === "connecting")
    return (
      connectWords[code] ??
      (code.startsWith("ERR_SSL_") ? connectWords.EPROTO : undefined) ??
      `no connection: ${error.message}`
    );
  if (error.name === "HTTPParserError") return `the answer is not HTTP/1.1: ${error.message}`;
  // undici takes an interim 100 that was not asked for, and a change of protocol, for a fault of the connection.
  if (code === "UND_ERR_SOCKET" && error.message.startsWith("bad "))
    return "the answer begins with a 100 or 101, which was not asked for";
  if (!["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(code))
    // Anything else it says of an answer is meant for its own developers.
    return code.startsWith("UND_ERR_") ? `the answer cannot be used: ${error.message}` : "the answer is not HTTP/1.1";
  return stage === "answering"
    ? "the answer broke off: the receiver closed the connection in the middle of it"
    : "the receiver closed the connection without an answer";
};
