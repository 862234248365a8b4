import { IncomingMessage } from "node:http";
import { DEFAULT_WORLD } from "../rules/world-name.ts";
import type { ExchangeRecord } from "../storage/requests-store.ts";
import type { AppServices } from "./app-services.ts";
import { TENANT_HEADER, worldNameOf } from "./callers.ts";
import { maskAddress, maskUnreadable } from "./masking.ts";
import { HEADERS_BYTES, headerList } from "./plugins/exchange-log.ts";
import type { UnreadableExchange } from "./unreadable-requests.ts";
import { recordingWorld } from "./unrouted.ts";

const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/\d/;
const TENANT_LINE = new RegExp(`^${TENANT_HEADER}:[ \\t]*(\\S+)[ \\t]*$`, "im");

interface Arrived {
  readonly world: string;
  readonly method: string;
  readonly path: string;
  readonly headers: [string, string][];
  readonly bytes: Buffer;
}

const arrivedIn = (from: UnreadableExchange["from"], mostBytes: number): Arrived => {
  if (from instanceof IncomingMessage) {
    const { method = "", url = "", rawHeaders } = from;
    return { world: worldNameOf(from), method, path: url, headers: headerList(rawHeaders), bytes: Buffer.alloc(0) };
  }
  const bytes = Buffer.from(from.subarray(0, mostBytes));
  const text = bytes.toString("latin1");
  const [, method = "", path = ""] = REQUEST_LINE.exec(text) ?? [];
  return { world: TENANT_LINE.exec(text)?.[1] ?? DEFAULT_WORLD, method, path, headers: [], bytes };
};

/**
 * Keeps what was no request that can be read. Who sent it is not known, so that a service that strangers reach keeps
 * nothing of it.
 */
export const keepUnreadable = (services: AppServices, exchange: UnreadableExchange): void => {
  if (services.mode !== "local") return;
  const { id, status, type, message, responseHeaders, responseBody } = exchange;
  const { world: name, method, path, headers, bytes } = arrivedIn(exchange.from, services.limits.headerBytes);
  const at = Date.now();
  const record = (): ExchangeRecord => {
    const kept = maskUnreadable(bytes);
    return {
      ...{ id, at, method, path: maskAddress(path), operation: null, unrouted: "unreadable" },
      ...{ integration_id: null, side: null, status, error_code: type, duration_ms: 0, outcome: message, events: 0 },
      ...{ job_id: null, procurement_id: null, label: null, request_headers: headers, request_body: kept },
      body_masked: !kept.equals(bytes),
      response_headers: Object.entries(responseHeaders),
      response_body: Buffer.from(responseBody),
    };
  };
  recordingWorld(services, name)?.exchanges.add({ bytes: HEADERS_BYTES + bytes.length, record });
};
