import type { DeliveryRow } from "../contract/control/rows.ts";
import type { DeliveryRecord } from "./delivery-records.ts";

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A delivery as the control plane and the live feed show it. */
export const deliveryRow = (delivery: DeliveryRecord): DeliveryRow => ({
  id: delivery.id,
  message_id: delivery.message_id,
  event_id: delivery.event.id,
  event_type: delivery.event.event_type,
  integration_id: delivery.integration_id,
  side: delivery.side,
  subscription_id: delivery.subscription_id,
  url: delivery.url,
  status: delivery.status,
  attempts_made: delivery.attempts_made,
  last_status: delivery.last_status,
  last_error: delivery.last_error,
  next_attempt_at: iso(delivery.next_attempt_at),
  created_at: new Date(delivery.created_at).toISOString(),
  settled_at: iso(delivery.settled_at),
  trace_id: delivery.event.trace_id,
  repeats_id: delivery.repeats_id,
  job_id: delivery.event.job_id,
  procurement_id: delivery.event.procurement_id,
  label: delivery.event.label,
  announces: delivery.event.announces,
});
