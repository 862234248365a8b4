import { randomUUID } from "node:crypto";
import type { EventRow } from "../contract/control/rows.ts";
import { events } from "../contract/event-types.ts";
import type { EventPayload } from "../contract/events.ts";
import { deliveryRow, type EventRecord, type NewDelivery, newDeliveryRecord } from "../storage/delivery-records.ts";
import { newId } from "../storage/new-id.ts";
import type { Append, World } from "../worlds/world.ts";
import type { NewEvent } from "./handler.ts";

/**
 * Writes an event and a delivery for each recipient into the outbox: every integration of the organization whose scope
 * matches the event's side and which has a subscription; a `message_id` an integration, shared by its addresses
 * (D70, D71). Call inside a write.
 *
 * @returns whether anything waits to be delivered now
 */
export const queueEvent = (world: World, append: Append, traceId: string, event: NewEvent): boolean => {
  const { outbox, subscriptions } = world.stores;
  const record: EventRecord = { ...event, id: newId(), event_timestamp: world.now(), trace_id: traceId };
  const recipients = subscriptions.recipients(event.organization_id, events[event.event_type].side);
  const event_seq = outbox.insertEvent(record, recipients.length);
  const row: EventRow = {
    id: record.id,
    event_type: record.event_type,
    event_timestamp: new Date(record.event_timestamp).toISOString(),
    organization_id: record.organization_id,
    payload: payloadRecord(record.payload),
    trace_id: traceId,
    label: record.label,
    deliveries: recipients.length,
  };
  append("event", traceId, row);
  const messageIds = new Map<string, string>();
  for (const recipient of recipients) {
    const message_id = messageIds.get(recipient.integration_id) ?? randomUUID();
    messageIds.set(recipient.integration_id, message_id);
    const delivery: NewDelivery = {
      id: newId(),
      event_seq,
      message_id,
      integration_id: recipient.integration_id,
      subscription_id: recipient.id,
      url: recipient.url,
      created_at: Date.now(),
      repeats_id: null,
    };
    const seq = outbox.insertDelivery(delivery);
    append("delivery", traceId, deliveryRow(newDeliveryRecord(seq, delivery, record)));
  }
  return recipients.length > 0;
};

/** A payload as the control plane's plain map of strings. */
export const payloadRecord = (payload: EventPayload): Record<string, string> => ({ ...payload });
