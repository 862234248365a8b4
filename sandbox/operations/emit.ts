import { randomUUID } from "node:crypto";
import type { DeliveryRow, Side } from "../contract/control/rows.ts";
import { deliveryRow, type EventRecord } from "../storage/delivery-records.ts";
import { newId } from "../storage/new-id.ts";
import type { Recipient } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import type { NewEvent } from "./handler.ts";

/** Writes an event into the outbox with a delivery for each recipient. Call inside a write. @returns their positions in the world's order */
const queueFor = (world: World, recipients: readonly Recipient[], record: EventRecord): number[] => {
  const { outbox } = world.stores;
  const event_seq = outbox.insertEvent(record, recipients.length, world.recordedAt(Date.now()));
  const messageIds = new Map<string, string>();
  return recipients.map((recipient) => {
    const message_id = messageIds.get(recipient.integration_id) ?? randomUUID();
    messageIds.set(recipient.integration_id, message_id);
    const delivery = {
      ...{ id: newId(), event_seq, message_id, subscription_id: recipient.id },
      ...{ created_at: Date.now(), repeats_id: null },
    };
    return outbox.insertDelivery(delivery);
  });
};

/**
 * Writes an event and a delivery for each recipient into the outbox: every integration of the organization whose scope
 * matches the event's side and which has a subscription; a `message_id` an integration, shared by its addresses
 * (D70, D71). Call inside a write.
 *
 * @param traceparent the trace context that its call came with, and its notifications go out with
 * @returns whether anything waits to be delivered now
 */
export const queueEvent = (
  world: World,
  traceId: string,
  event: NewEvent,
  traceparent: string | null = null,
): boolean => {
  const recipients = world.stores.subscriptions.recipients(event.organization_id, event.event_type);
  const record = { ...event, id: newId(), event_timestamp: world.now(), trace_id: traceId, traceparent };
  queueFor(world, recipients, record);
  return recipients.length > 0;
};

/** No job and no procurement has it. */
const NOTHING = "00000000-0000-0000-0000-000000000000";

/**
 * Writes an event that no call made into the outbox, for one subscription alone. What it names does not exist. Call
 * inside a write.
 */
export const queueTestEvent = (
  world: World,
  subscription: Recipient,
  { organization_id, scope }: { readonly organization_id: string; readonly scope: Side },
): DeliveryRow => {
  const id = newId();
  const event: EventRecord = {
    ...(scope === "repairer"
      ? {
          event_type: "repairer.jobs",
          payload: { job_id: NOTHING, change_action: "updated" },
          announces: "updated",
        }
      : {
          event_type: "supplier.procurements",
          payload: { procurement_id: NOTHING, job_id: NOTHING, status: "order_requested" },
          announces: "order_requested",
        }),
    id,
    event_timestamp: world.now(),
    organization_id,
    trace_id: id,
    traceparent: null,
    job_id: NOTHING,
    procurement_id: null,
    label: "Test event",
  };
  const [seq = 0] = queueFor(world, [subscription], event);
  const queued = world.stores.outbox.at(seq);
  if (!queued) throw new Error("A test event has one delivery.");
  return deliveryRow(queued);
};
