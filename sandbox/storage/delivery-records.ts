import type { DeliveryStatus, Side } from "../contract/control/rows.ts";
import type { AnnouncedStatus, ChangeAction, EventPayload, EventType } from "../contract/events.ts";
import type { Database } from "./database.ts";

/** Places of a delivery's tries; far more than any schedule makes. */
export const TRIES = 64;

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
  /** How many of those were lost, and are no steps of the schedule; counted for what is to be tried again. */
  readonly lost_tries: number;
  readonly next_attempt_at: number | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly settled_at: number | null;
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

/** How a try ended: acknowledged, to be tried again, or given up. */
export interface Settlement {
  readonly status: DeliveryStatus;
  readonly next_attempt_at: number | null;
  readonly settled_at: number | null;
}

/** Where a delivery stands in its lane, as it is stored: the first two are pending. */
export const states = { untried: 0, tried: 1, delivered: 2, failed: 3 } as const;
/** The states a status is made of. */
export const statesOf: Record<DeliveryStatus, readonly number[]> = {
  pending: [states.untried, states.tried],
  delivered: [states.delivered],
  failed: [states.failed],
};

/** A delivery joined with its lane and its event. */
export interface StoredDelivery extends Omit<DeliveryRecord, "event" | "side" | "lost_tries"> {
  readonly e_id: string;
  readonly event_type: EventType;
  readonly event_timestamp: number;
  readonly organization_id: string;
  readonly payload: string;
  readonly trace_id: string;
  readonly job_id: string;
  readonly procurement_id: string | null;
  readonly label: string;
  readonly announces: EventRecord["announces"];
}

export const DELIVERY_SELECT =
  "SELECT d.seq, d.id, d.event_seq, d.message_id, l.integration_id, l.subscription_id, l.url, d.status, d.attempts_made, d.next_attempt_at, " +
  "d.last_status, d.last_error, d.created_at, d.settled_at, d.repeats_id, e.id AS e_id, e.event_type, e.event_timestamp, e.organization_id, " +
  "e.payload, e.trace_id, e.job_id, e.procurement_id, e.label, e.announces " +
  "FROM deliveries d JOIN lanes l ON l.seq = d.lane JOIN events e ON e.seq = d.event_seq";

export const sideOfEvent = (type: EventType): Side => (type === "supplier.procurements" ? "supplier" : "repairer");

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
  lost_tries: 0,
  next_attempt_at: db.fromStored(row.next_attempt_at),
  last_status: row.last_status,
  last_error: row.last_error,
  settled_at: db.fromStored(row.settled_at),
  side: sideOfEvent(row.event_type),
  event: {
    id: row.e_id,
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
  lost_tries: 0,
  next_attempt_at: delivery.created_at,
  last_status: null,
  last_error: null,
  settled_at: null,
  side: sideOfEvent(event.event_type),
  event,
});
