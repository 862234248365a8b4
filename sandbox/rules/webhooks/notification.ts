import type { EventType } from "../../contract/event-types.ts";
import type { Envelope, EventPayload } from "../../contract/events.ts";
import { SIGNATURE_HEADER } from "../../contract/signature.ts";
import { TRACEPARENT_HEADER } from "../traceparent.ts";

/** An event, independent of its recipients. Times are milliseconds since 1970. */
export interface NotifiedEvent {
  readonly event_type: EventType;
  readonly event_timestamp: number;
  readonly payload: EventPayload;
}

/**
 * Contract, "Envelope": eight fields in wire order.
 *
 * @param stampedAt time of sending, for the replay window
 */
export const createEnvelope = (
  event: NotifiedEvent,
  to: { readonly message_id: string; readonly integration_id: string },
  stampedAt: number,
): Envelope => ({
  message_id: to.message_id,
  event_timestamp: new Date(event.event_timestamp).toISOString(),
  webhook_timestamp: new Date(stampedAt).toISOString(),
  event_type: event.event_type,
  type: "integration_notification",
  version: "v1",
  integration_id: to.integration_id,
  payload: event.payload,
});

/** Marks a test event, because the envelope has no field for it. */
const TEST_EVENT_HEADER = "x-sandbox-test-event";

/**
 * Headers of a notification.
 *
 * @param signature null omits the header
 * @param marks test-event flag and trace context
 */
export const notificationHeaders = (
  body: Uint8Array,
  signature: string | null,
  {
    test = false,
    traceparent = null,
  }: { readonly test?: boolean | undefined; readonly traceparent?: string | null } = {},
): [string, string][] => [
  ["content-type", "application/json"],
  ["user-agent", "integrations-sandbox/2026-01"],
  ...(signature === null ? [] : [[SIGNATURE_HEADER, signature] satisfies [string, string]]),
  ...(test ? [[TEST_EVENT_HEADER, "true"] satisfies [string, string]] : []),
  ...(traceparent === null ? [] : [[TRACEPARENT_HEADER, traceparent] satisfies [string, string]]),
  ["content-length", String(body.length)],
];
