import { randomUUID } from "node:crypto";
import type { DeliveryRow, Side } from "../contract/control/rows.ts";
import type { WebhookChoice } from "../contract/test-values.ts";
import { deliveryRow, type EventRecord } from "../storage/delivery-records.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import type { Recipient } from "../storage/subscriptions-store.ts";
import type { World } from "../worlds/world.ts";
import type { NewEvent } from "./handler.ts";

/**
 * Queues a delivery for each recipient. Call inside a write.
 *
 * @param twice queues each one again with the same `message_id`
 * @returns the `seq` of each delivery
 */
const queueDeliveries = (
  world: World,
  recipients: readonly Recipient[],
  event_seq: number,
  twice = false,
): number[] => {
  const { outbox } = world.stores;
  const messageIds = new Map<string, string>();
  return recipients.flatMap((recipient) => {
    const message_id = messageIds.get(recipient.integration_id) ?? randomUUID();
    messageIds.set(recipient.integration_id, message_id);
    const delivery = { event_seq, message_id, subscription_id: recipient.id, created_at: realTime() };
    const id = newId();
    const seq = outbox.insertDelivery({ ...delivery, id, repeats_id: null });
    return twice ? [seq, outbox.insertDelivery({ ...delivery, id: newId(), repeats_id: id })] : [seq];
  });
};

/** Stores an event. Call inside a write. @returns its `seq` */
const writeEvent = (world: World, record: EventRecord, deliveries: number): number =>
  world.stores.outbox.insertEvent(record, deliveries, world.recordedAt(realTime()));

/** Longest wait of an event for one that must be sent first, in milliseconds. */
const OUT_OF_ORDER_MS = 5_000;

/**
 * Queues the notifications of a stored event. Call inside a write. @returns whether deliveries wait now; null if the
 * event was deleted
 */
export const notifyLater = (world: World, eventSeq: number): boolean | null => {
  const { outbox, subscriptions } = world.stores;
  const event = outbox.event(eventSeq);
  if (!event) return null;
  const recipients = subscriptions.recipients(event.organization_id, event.event_type);
  outbox.countDeliveries(eventSeq, queueDeliveries(world, recipients, eventSeq).length);
  return recipients.length > 0;
};

/** Applies a test value to an event's notifications (D93). @returns whether deliveries wait now */
const queueWithTestValue = (world: World, record: EventRecord, webhook: WebhookChoice): boolean => {
  const { acts, subscriptions } = world.stores;
  const { organization_id, job_id } = record;
  const recipients = subscriptions.recipients(organization_id, record.event_type);
  if (webhook.kind === "duplicate") {
    queueDeliveries(world, recipients, writeEvent(world, record, 2 * recipients.length), true);
    return recipients.length > 0;
  }
  const event_seq = writeEvent(world, record, 0);
  if (webhook.kind === "none") return false;
  const test_value = webhook.kind === "late" ? "webhook=late" : "webhook=out-of-order";
  const held = webhook.kind === "late" ? undefined : acts.findHeldBack(job_id, organization_id, test_value);
  if (!held) {
    const due_at = world.now() + (webhook.kind === "late" ? webhook.ms : OUT_OF_ORDER_MS);
    acts.insert({ kind: "notify", due_at, organization_id, test_value, job_id, event_seq });
    return false;
  }
  const queued = notifyLater(world, event_seq) ?? false;
  notifyLater(world, held.event_seq ?? 0);
  acts.end(held.seq, realTime(), "done", "Sent after the one that followed it.", null);
  return queued;
};

/**
 * Stores an event and queues a delivery for each recipient: every subscription of the organization's integrations whose
 * scope matches the event's side. Subscriptions of one integration share a `message_id` (D70, D71). Call inside a
 * write.
 *
 * @param traceparent trace context of the call, sent with the notifications
 * @param webhook effect of a test value on the notifications
 * @returns whether deliveries wait now
 */
export const queueEvent = (
  world: World,
  traceId: string,
  event: NewEvent,
  traceparent: string | null = null,
  webhook?: WebhookChoice,
): boolean => {
  const record = { ...event, id: newId(), event_timestamp: world.now(), trace_id: traceId, traceparent };
  if (webhook) return queueWithTestValue(world, record, webhook);
  const recipients = world.stores.subscriptions.recipients(event.organization_id, event.event_type);
  queueDeliveries(world, recipients, writeEvent(world, record, recipients.length));
  return recipients.length > 0;
};

/** ID of no job or procurement. */
const NOTHING = "00000000-0000-0000-0000-000000000000";

/** Stores a test event for one subscription. Its job and procurement don't exist. Call inside a write. */
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
  const [seq = 0] = queueDeliveries(world, [subscription], writeEvent(world, event, 1));
  const queued = world.stores.outbox.at(seq);
  if (!queued) throw new Error("A test event has one delivery.");
  return deliveryRow(queued);
};
