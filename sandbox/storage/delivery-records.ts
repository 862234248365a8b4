import type { Attempt, DeliveryRow } from "../contract/control/rows.ts";
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
  /** W3C trace context of the originating call; null if it sent none. */
  readonly traceparent: string | null;
  readonly job_id: string;
  readonly procurement_id: string | null;
  readonly label: string;
  readonly announces: AnnouncedStatus | ChangeAction;
}

export interface NewDelivery {
  readonly id: string;
  readonly event_seq: number;
  readonly message_id: string;
  readonly subscription_id: string;
  /** Real time, milliseconds since 1970. */
  readonly created_at: number;
  readonly repeats_id: string | null;
}

/** A delivery with its `seq` and its event's content. */
export interface DeliveryRecord extends DeliveryRow {
  readonly seq: number;
  readonly event_seq: number;
  readonly event_timestamp: number;
  readonly payload: EventPayload;
  readonly traceparent: string | null;
}

/** An attempt as stored. The omitted fields are computed on read. */
export type AttemptRecord = Omit<Attempt, "verification" | "explanation" | "waited_behind">;

/** State of a delivery after an attempt. Times are real, milliseconds since 1970. */
export interface Outcome {
  readonly status: DeliveryRow["status"];
  readonly next_attempt_at: number | null;
  readonly ended_at: number | null;
}

type Times = "next_attempt_at" | "created_at" | "ended_at";
/** A delivery joined with its subscription and its event. */
export type StoredDelivery = Omit<DeliveryRecord, Times | "side" | "test" | "payload"> & {
  readonly next_attempt_at: number | null;
  readonly created_at: number;
  readonly ended_at: number | null;
  readonly payload: string;
};

export const DELIVERY_SELECT =
  "SELECT d.seq, d.id, d.event_seq, d.message_id, s.integration_id, s.id AS subscription_id, s.url, d.status, d.attempts_made, " +
  "d.next_attempt_at, d.last_status, d.last_error, d.created_at, d.ended_at, d.repeats_id, e.id AS event_id, e.event_type, " +
  "e.event_timestamp, e.payload, e.trace_id, e.traceparent, e.job_id, e.procurement_id, e.label, e.announces " +
  "FROM deliveries d JOIN subscriptions s ON s.seq = d.subscription_seq JOIN events e ON e.seq = d.event_seq";

/** A row of {@link DELIVERY_SELECT} as a record. */
export const deliveryRecord = (db: Database, row: StoredDelivery): DeliveryRecord => ({
  ...row,
  side: events[row.event_type].side,
  next_attempt_at: isoOrNull(db.fromStored(row.next_attempt_at)),
  created_at: iso(db.fromStored(row.created_at)),
  ended_at: isoOrNull(db.fromStored(row.ended_at)),
  event_timestamp: db.fromStored(row.event_timestamp),
  payload: JSON.parse(row.payload) as EventPayload,
  // A test event has no originating call, so its trace begins with itself.
  ...(row.event_id === row.trace_id ? { test: true as const } : {}),
});

/** Fields of a delivery before its first attempt. */
export const unattemptedFields = (seq: number, createdAt: number) => ({
  ...{ seq, status: "pending" as const, attempts_made: 0, last_status: null, last_error: null, ended_at: null },
  ...{ created_at: iso(createdAt), next_attempt_at: iso(createdAt) },
});

/** Omits internal fields for the control plane and the live feed. */
export const deliveryRow = ({
  seq: _seq,
  event_seq: _event,
  event_timestamp: _at,
  payload: _payload,
  traceparent: _traceparent,
  ...row
}: DeliveryRecord): DeliveryRow => row;
