import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { verifyWebhook } from "../../docs/verify-a-webhook/verify-webhook.ts";
import type { operations, webhooks } from "../openapi-client/generated/integrations-service.ts";

const CHECK_EVERY_MS = 10;
/** Below the test timeout of five seconds in Vitest and Jest, whose message says less. */
const DEFAULT_TIMEOUT_MS = 4_000;

/** Taken before a test can start a fake clock; the timer of `node:timers/promises` is never faked. */
const now = performance.now.bind(performance);

/** Types of notifications. */
export type EventType = keyof webhooks;

/** The body of a notification. Its payload has IDs only: read the data through the API. */
export type Notification<T extends EventType = EventType> = {
  [K in T]: operations[`webhook.${K}`]["requestBody"]["content"]["application/json"];
}[T];

/** Selects a notification to wait for. */
export interface Expected<T extends EventType> {
  /** Default: the next one of any type. */
  readonly event_type?: T;
  /** Fields that its payload must have, for example `{ status: "order_confirmed" }`. */
  readonly payload?: Partial<Notification<T>["payload"]>;
  /** Time limit in milliseconds. Default: 4,000. */
  readonly timeout_ms?: number;
}

/** A webhook receiver in the test's own process, on 127.0.0.1. */
export interface Receiver {
  /** The subscribed address. */
  readonly url: string;
  /**
   * Returns the next matching notification in the order of arrival, each one once. Its signature over the exact bytes
   * and its timestamp are verified. Others are kept for a later call.
   *
   * @throws Error with the reason if a received one failed the verification; it was refused with 401
   * @throws Error with the received ones if none matched in time
   */
  next<T extends EventType = EventType>(expected?: Expected<T>): Promise<Notification<T>>;
  /** Stops the receiver. The subscription stays, and its deliveries fail. */
  stop(): void;
}

/**
 * Starts a receiver. It doesn't keep a test runner from ending.
 *
 * @param integration_id integration whose notifications it accepts
 * @param secret the webhook secret of that integration
 */
export async function startReceiver(integration_id: string, secret: string): Promise<Receiver> {
  const secrets = new Map([[integration_id, secret]]);
  const arrived: Notification[] = [];
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null);
    // The sender closed the connection.
    if (body === null) return;
    const header = request.headers["service-hmac-sha256"];
    const reason = verifyWebhook(body, typeof header === "string" ? header : undefined, secrets);
    if (reason === null) arrived.push(JSON.parse(body.toString("utf8")));
    else refused.push(reason);
    response.writeHead(reason === null ? 200 : 401).end(JSON.stringify({ ok: reason === null }));
  });
  server.on("connection", (socket) => socket.unref());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    next: async <T extends EventType>(expected: Expected<T> = {}) => {
      const { timeout_ms = DEFAULT_TIMEOUT_MS } = expected;
      const until = now() + timeout_ms;
      for (;;) {
        const reason = refused.shift();
        if (reason !== undefined) throw new Error(`A notification failed the verification: ${reason}.`);
        const place = arrived.findIndex((one) => isExpected(one, expected));
        const [found] = place < 0 ? [] : arrived.splice(place, 1);
        if (found !== undefined) return found as Notification<T>;
        if (now() >= until) throw new Error(missing(expected, timeout_ms, arrived));
        await sleep(CHECK_EVERY_MS);
      }
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isExpected({ event_type, payload }: Notification, expected: Expected<EventType>): boolean {
  if (expected.event_type !== undefined && expected.event_type !== event_type) return false;
  const fields = Object.entries(expected.payload ?? {});
  return fields.every(([name, value]) => payload[name as keyof typeof payload] === value);
}

function missing({ event_type, payload }: Expected<EventType>, ms: number, arrived: readonly Notification[]): string {
  const expected = [event_type ?? "notification", ...(payload === undefined ? [] : [JSON.stringify(payload)])].join(
    " ",
  );
  const others = arrived.map((one) => `${one.event_type} ${JSON.stringify(one.payload)}`).join(", ");
  const instead = others === "" ? "Nothing else arrived." : `Arrived instead: ${others}.`;
  return `No ${expected} arrived within ${ms} ms. ${instead}`;
}
