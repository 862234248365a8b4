import type { Static } from "typebox";
import * as Type from "typebox";
import { type EventType, events, eventTypes } from "./event-types.ts";
import { OneOf } from "./schema.ts";

export const changeActions = ["inserted", "updated", "deleted"] as const;
export type ChangeAction = (typeof changeActions)[number];

/** The order states that an event can name; a cancellation has none (D74). */
export const announcedStatuses = ["order_requested", "order_confirmed"] as const;
export type AnnouncedStatus = (typeof announcedStatuses)[number];

export const JobEventPayload = Type.Object({ job_id: Type.String(), change_action: OneOf(changeActions) });
export const ProcurementEventPayload = Type.Object({
  procurement_id: Type.String(),
  job_id: Type.String(),
  status: OneOf(announcedStatuses),
});
export type JobEventPayload = Static<typeof JobEventPayload>;
export type ProcurementEventPayload = Static<typeof ProcurementEventPayload>;
export type EventPayload = JobEventPayload | ProcurementEventPayload;

const payloads = { job: JobEventPayload, procurement: ProcurementEventPayload } as const;
export const eventPayload = (type: EventType): (typeof payloads)[keyof typeof payloads] =>
  payloads[events[type].payload];

/** Contract, "Envelope": exactly these eight fields, in this order on the wire. */
export const Envelope = Type.Object({
  message_id: Type.String({ description: "For deduplication: repeats have the same one" }),
  event_timestamp: Type.String({ description: "When the event occurred" }),
  webhook_timestamp: Type.String({ description: "When it was sent; drives the replay window" }),
  event_type: OneOf(eventTypes),
  type: Type.Literal("integration_notification"),
  version: Type.Literal("v1"),
  integration_id: Type.String({ description: "The recipient, which selects the verifying secret" }),
  payload: Type.Union([JobEventPayload, ProcurementEventPayload]),
});
export type Envelope = Static<typeof Envelope>;
