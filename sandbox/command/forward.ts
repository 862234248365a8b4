// Sends the notifications of `sandbox listen` to the server on this machine.
import type { listenAnswer } from "../contract/control/receiver-operations.ts";
import type { ListenMessages } from "../contract/listener.ts";
import type { RequestOf } from "../contract/operation.ts";
import { findFaultByCode } from "../rules/webhooks/transport-faults.ts";
import { isLoopbackHost } from "../rules/webhooks/webhook-url.ts";
import { createFetch, type Route } from "../scenario/route.ts";

/** Shorter than the service's own timeout. */
const ANSWER_MS = 9_500;
const ANSWER_BYTES = 64 * 1024;

/** A developer machine's report on a notification. */
type ForwardedResponse = Omit<RequestOf<typeof listenAnswer>, "world" | "id">;

const UNANSWERED = "nothing answers at that address";
const BROKEN = "the connection broke";
const UNCONNECTED = "no network";
const words: Readonly<Record<string, string>> = {
  ...{ ECONNREFUSED: UNANSWERED, ETIMEDOUT: UNANSWERED, UND_ERR_CONNECT_TIMEOUT: UNANSWERED },
  ...{ ECONNRESET: BROKEN, EPIPE: BROKEN, UND_ERR_SOCKET: BROKEN },
  ...{ ENETUNREACH: UNCONNECTED, ENETDOWN: UNCONNECTED, EHOSTUNREACH: UNCONNECTED, EAI_AGAIN: UNCONNECTED },
  ENOTFOUND: "the host name was not found",
  // The Fetch standard blocks some ports; its error has no code.
  "bad port": "Node and browsers never call this port: choose another for your server",
};

/** Returns why a call got no complete response. */
export const failureReason = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause ? String(cause.code) : "";
  return words[code || cause.message] ?? findFaultByCode(code)?.says ?? cause.message;
};

/** Prepares calls to a server: on this machine, or elsewhere with any certificate (D96). */
export const createSender = (to: string, isInsecure: boolean): Promise<Route["fetch"]> =>
  createFetch(null, isInsecure || isLoopbackHost(new URL(to).hostname));

/** Forwards a notification and reads the response. */
export const forward = async (
  send: Route["fetch"],
  to: string,
  { headers, body_base64 }: ListenMessages["notification"],
): Promise<ForwardedResponse> => {
  try {
    const response = await send(to, {
      method: "POST",
      headers: headers
        .filter(([name]) => name !== "content-length")
        .map(([name, value]): [string, string] => [name, value]),
      body: Buffer.from(body_base64, "base64"),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body = Buffer.from(await response.arrayBuffer());
    const isLong = body.length > ANSWER_BYTES;
    return {
      response_status: response.status,
      response_headers: [...response.headers],
      response_body_base64: body.subarray(0, ANSWER_BYTES).toString("base64"),
      error: isLong ? "the response exceeds 64 KiB in all" : null,
    };
  } catch (error) {
    const isOverdue = error instanceof Error && error.name === "TimeoutError";
    const reason = failureReason(error);
    const why = isOverdue
      ? `no response within ${ANSWER_MS / 1_000} s`
      : reason === UNANSWERED
        ? `nothing listens at ${to}`
        : reason;
    return { response_status: null, response_headers: [], response_body_base64: "", error: why };
  }
};
