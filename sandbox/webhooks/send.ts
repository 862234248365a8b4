import type { Dispatcher } from "undici";
import { guardedLookup } from "./guarded-lookup.ts";
import type { Prepared } from "./prepare.ts";

/** D72: how long one try may take. */
export const TRY_TIMEOUT_MS = 10_000;
/** How much of a receiver's answer is kept. */
export const KEPT_ANSWER_BYTES = 64 * 1024;

/** Stage two: what came back, or why nothing did. */
export interface Sent {
  readonly prepared: Prepared;
  readonly durationMs: number;
  readonly status: number | null;
  readonly headers: [string, string][];
  readonly body: Buffer;
  readonly truncated: boolean;
  readonly error: string | null;
}

export interface Sender {
  send(prepared: Prepared, signal: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

const words: Record<string, string> = {
  ECONNREFUSED: "connection refused: nothing listens at this address",
  ECONNRESET: "the receiver closed the connection without an answer",
  ENOTFOUND: "the host name was not found",
  EAI_AGAIN: "the host name could not be looked up",
  ETIMEDOUT: "no connection in time",
  EHOSTUNREACH: "the host cannot be reached",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped half way",
  UND_ERR_SOCKET: "the receiver closed the connection without an answer",
  DEPTH_ZERO_SELF_SIGNED_CERT: "TLS failed: the certificate is self-signed",
  CERT_HAS_EXPIRED: "TLS failed: the certificate has expired",
};

/** Why a try got no answer, in words. */
export const describeFailure = (error: unknown, timedOut: boolean): string => {
  if (timedOut) return `timed out after ${TRY_TIMEOUT_MS / 1_000} s`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return words[code] ?? (error instanceof Error ? error.message : "no answer");
};

const readCapped = async (body: Dispatcher.ResponseData["body"]): Promise<{ body: Buffer; truncated: boolean }> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const room = KEPT_ANSWER_BYTES - size;
    chunks.push(chunk.subarray(0, room));
    size += Math.min(chunk.length, room);
    if (chunk.length > room) {
      body.destroy();
      return { body: Buffer.concat(chunks), truncated: true };
    }
  }
  return { body: Buffer.concat(chunks), truncated: false };
};

const flatHeaders = (headers: Dispatcher.ResponseData["headers"]): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? ""]).map((one): [string, string] => [name, one]),
  );

/**
 * Sends over kept-alive connections; never follows a redirect (D72).
 *
 * @param allows whether an address a name resolved to may be connected to
 */
export const createSender = (allows: (address: string) => boolean): Sender => {
  // Loaded with the first delivery: a service that sends nothing starts without it.
  const client = import("undici").then((undici) => ({
    undici,
    agent: new undici.Agent({
      connections: 16,
      pipelining: 1,
      connect: { timeout: TRY_TIMEOUT_MS, lookup: guardedLookup(allows) },
      keepAliveTimeout: 10_000,
    }),
  }));
  client.catch(() => undefined);

  const send = async (prepared: Prepared, signal: AbortSignal): Promise<Sent> => {
    const started = performance.now();
    const timeout = AbortSignal.timeout(TRY_TIMEOUT_MS);
    const done = (rest: Pick<Sent, "status" | "headers" | "body" | "truncated" | "error">): Sent => ({
      prepared,
      durationMs: performance.now() - started,
      ...rest,
    });
    try {
      const { undici, agent } = await client;
      const answer = await undici.request(prepared.url, {
        method: "POST",
        dispatcher: agent,
        headers: prepared.headers.flat(),
        body: prepared.body,
        signal: AbortSignal.any([signal, timeout]),
        headersTimeout: TRY_TIMEOUT_MS,
        bodyTimeout: TRY_TIMEOUT_MS,
      });
      const kept = await readCapped(answer.body);
      return done({ status: answer.statusCode, headers: flatHeaders(answer.headers), ...kept, error: null });
    } catch (error) {
      return done({
        status: null,
        headers: [],
        body: Buffer.alloc(0),
        truncated: false,
        error: describeFailure(error, timeout.aborted),
      });
    }
  };
  return { send, close: async () => (await client).agent.destroy() };
};
