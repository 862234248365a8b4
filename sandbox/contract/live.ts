import type { FaultFiring } from "./control/fault-operations.ts";
import type { DrillRow } from "./control/receiver-operations.ts";
import type { DeliveryRow, EventRow, JobRow, ProcurementRow, RequestRow, StateChange } from "./control/rows.ts";

/** What happens to the world itself; of its clock, switches and limits how they stood before and stand after. */
export interface WorldChange {
  readonly what:
    | "reset"
    | "clock"
    | "policies"
    | "retention"
    | "subscriptions"
    | "credentials"
    | "receivers"
    | "faults"
    | "counterparts"
    | "requests"
    | "snapshots";
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * What the lists say of the job and of the procurement that a change is about, as it is when the change is sent; null
 * when it is gone. They are no part of the log.
 */
export interface ListedRows {
  readonly job?: JobRow | null;
  readonly procurement?: ProcurementRow | null;
}

/** The payload of each kind of entry on the live feed. */
export interface LiveData {
  request: RequestRow;
  state: StateChange & ListedRows;
  event: EventRow;
  delivery: DeliveryRow;
  drill: DrillRow;
  fault: FaultFiring;
  world: WorldChange;
}

export type LiveKind = keyof LiveData;

/**
 * One entry of a world's ordered log, as `GET /__sandbox/live` sends it: the SSE `id` is `id`, the SSE `event`
 * is `kind`, the SSE `data` is this object. Ids grow strictly within a world.
 */
export type LiveEntry = {
  [K in LiveKind]: {
    readonly id: number;
    readonly kind: K;
    readonly at: string;
    readonly trace_id: string | null;
    readonly data: LiveData[K];
  };
}[LiveKind];

/**
 * Named messages of the stream beside entries: `ready` opens it, `reset` says the log was started anew so that
 * everything cached is stale, `dropped` ends it with a reason. On a stream of several worlds (`?worlds=`) `of_world` says
 * which one everything is of that follows, `dropped` ends the feed of that one alone, and `missing` says that it can't
 * begin yet; both begin with `ready`, as for a new reader, once they can.
 */
export interface LiveControl {
  of_world: { readonly world: string };
  missing: { readonly is_there: boolean; readonly reason: string };
  ready: { readonly world: string; readonly version: string; readonly last_id: number };
  reset: { readonly reason: string };
  dropped: { readonly reason: string };
}
