import type { DeliveryRow, DeliveryStatus, Side } from "../contract/control/rows.ts";
import { type EventType, events } from "../contract/event-types.ts";
import type { AnnouncedStatus, ChangeAction, EventPayload } from "../contract/events.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import type { Database } from "./database.ts";

export interface EventRecord {
  readonly id: string;
  readonly event_type: EventType;
  readonly event_timestamp: number;
  readonly organization_id: string;
  readonly payload: EventPayload;
  readonly trace_id: string;
  readonly job_id: string;
  readonly procurement_id: string | null;
  readonly label: string;
  readonly announces: AnnouncedStatus | ChangeAction;
}

export interface NewDelivery {
  readonly id: string;
  readonly event_seq: number;
  readonly message_id: string;
  readonly integration_id: string;
  readonly subscription_id: string;
  readonly url: string;
  readonly created_at: number;
  readonly repeats_id: string | null;
}

/** A delivery with the event it carries. */
export interface DeliveryRecord extends NewDelivery {
  readonly seq: number;
  readonly status: DeliveryStatus;
  readonly attempts_made: number;
  readonly next_attempt_at: number | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  /** When it was acknowledged or given up; real time, milliseconds since 1970. */
  readonly ended_at: number | null;
  readonly event: EventRecord;
  readonly side: Side;
}

export interface AttemptRecord {
  readonly number: number;
  readonly started_at: number;
  readonly duration_ms: number;
  readonly request_headers: [string, string][];
  readonly request_body: Buffer;
  readonly response_status: number | null;
  readonly response_headers: [string, string][];
  readonly response_body: Buffer;
  readonly response_truncated: boolean;
  readonly error: string | null;
}

/** What an attempt makes of its delivery: acknowledged, to be attempted again, or given up. */
export type Outcome = Pick<DeliveryRecord, "status" | "next_attempt_at" | "ended_at">;

/** A delivery joined with its subscription and its event. */
export interface StoredDelivery extends Omit<DeliveryRecord, "event" | "side">, Omit<EventRecord, "id" | "payload"> {
  readonly event_id: string;
  readonly payload: string;
}

export const DELIVERY_SELECT =
  "SELECT d.seq, d.id, d.event_seq, d.message_id, s.integration_id, s.id AS subscription_id, s.url, d.status, d.attempts_made, " +
  "d.next_attempt_at, d.last_status, d.last_error, d.created_at, d.ended_at, d.repeats_id, e.id AS event_id, e.event_type, " +
  "e.event_timestamp, e.organization_id, e.payload, e.trace_id, e.job_id, e.procurement_id, e.label, e.announces " +
  "FROM deliveries d JOIN subscriptions s ON s.seq = d.subscription_seq JOIN events e ON e.seq = d.event_seq";

/** A row of {@link DELIVERY_SELECT} as a record. */
export const deliveryRecord = (db: Database, row: StoredDelivery): DeliveryRecord => ({
  id: row.id,
  event_seq: row.event_seq,
  message_id: row.message_id,
  integration_id: row.integration_id,
  subscription_id: row.subscription_id,
  url: row.url,
  created_at: db.fromStored(row.created_at),
  repeats_id: row.repeats_id,
  seq: row.seq,
  status: row.status,
  attempts_made: row.attempts_made,
  next_attempt_at: db.fromStored(row.next_attempt_at),
  last_status: row.last_status,
  last_error: row.last_error,
  ended_at: db.fromStored(row.ended_at),
  side: events[row.event_type].side,
  event: {
    id: row.event_id,
    event_type: row.event_type,
    event_timestamp: db.fromStored(row.event_timestamp),
    organization_id: row.organization_id,
    payload: JSON.parse(row.payload) as EventPayload,
    trace_id: row.trace_id,
    job_id: row.job_id,
    procurement_id: row.procurement_id,
    label: row.label,
    announces: row.announces,
  },
});

/** A delivery that was queued just now, as reading it back would give it. */
export const newDeliveryRecord = (seq: number, delivery: NewDelivery, event: EventRecord): DeliveryRecord => ({
  ...delivery,
  seq,
  status: "pending",
  attempts_made: 0,
  next_attempt_at: delivery.created_at,
  last_status: null,
  last_error: null,
  ended_at: null,
  side: events[event.event_type].side,
  event,
});

/** Whether no call made an event: a test event begins a trace of its own. */
export const isTestEvent = ({ id, trace_id }: Pick<EventRecord, "id" | "trace_id">): boolean => id === trace_id;

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
  next_attempt_at: isoOrNull(delivery.next_attempt_at),
  created_at: iso(delivery.created_at),
  ended_at: isoOrNull(delivery.ended_at),
  trace_id: delivery.event.trace_id,
  repeats_id: delivery.repeats_id,
  job_id: delivery.event.job_id,
  procurement_id: delivery.event.procurement_id,
  label: delivery.event.label,
  announces: delivery.event.announces,
  ...(isTestEvent(delivery.event) ? { test: true as const } : {}),
});
