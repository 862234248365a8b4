import { NotHttpError } from "./answer-reader.ts";

/** How far a try had come when it ended. */
export type Stage = "connecting" | "securing" | "waiting" | "answering";

const connectWords: Record<string, string> = {
  ECONNREFUSED: "connection refused: nothing listens at this address",
  ECONNRESET: "the receiver closed the connection as soon as it was opened",
  ENOTFOUND: "the host name was not found",
  EAI_AGAIN: "the host name could not be looked up",
  ETIMEDOUT: "no connection: the address does not answer",
  EHOSTUNREACH: "no connection: there is no way to this host",
  ENETUNREACH: "no connection: there is no way to this network",
  EADDRNOTAVAIL: "no connection: this machine has no address left to connect from",
  EMFILE: "no connection: this machine has too many files open",
};

const tlsWords: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate's issuer is self-signed and not known here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate's issuer is not known here, or was not sent with it",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate's issuer is not known here",
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  CERT_REVOKED: "the certificate was revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  ECONNRESET: "the receiver closed the connection in the middle of the handshake",
};

/** What OpenSSL says by the text alone, under one code for everything. */
const protocolWords: readonly (readonly [RegExp, string])[] = [
  [
    /wrong version number|packet length too long|http request|record layer/i,
    "the receiver does not speak TLS at this port",
  ],
  [
    /alert|unsupported protocol|no shared cipher/i,
    "the receiver refused the handshake, or has no version or cipher in common with us",
  ],
];

const describeTls = (error: Error, code: string): string =>
  tlsWords[code] ?? protocolWords.find(([text]) => text.test(error.message))?.[1] ?? error.message;

const codeOf = (error: Error): string => {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && "code" in first ? String(first.code) : "";
};

/** Why a connection ended before a try was answered, in words. @param error null when the receiver just closed it */
export const describeFailure = (error: Error | null, stage: Stage): string => {
  if (error instanceof NotHttpError) return `the answer is not HTTP/1.1: ${error.message}`;
  const code = error ? codeOf(error) : "";
  if (stage === "connecting") return connectWords[code] ?? `no connection${error ? `: ${error.message}` : ""}`;
  if (stage === "securing") return `TLS failed: ${error ? describeTls(error, code) : tlsWords.ECONNRESET}`;
  if (error && code !== "ECONNRESET" && code !== "EPIPE") return `the connection failed: ${error.message}`;
  if (stage === "answering") return "the answer broke off: the receiver closed the connection in the middle of it";
  return error
    ? "the receiver reset the connection without an answer"
    : "the receiver closed the connection without an answer";
};

const waitedFor: Record<Stage, string> = {
  connecting: "no connection",
  securing: "TLS failed: no end of the handshake",
  waiting: "no answer",
  answering: "the answer stopped in its head: no more of it came",
};

/** Why a try ended without an answer when its time was up, in words. */
export const describeTimeout = (stage: Stage, limitMs: number): string =>
  `${waitedFor[stage]} within ${limitMs / 1_000} s`;
