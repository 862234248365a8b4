import type { FaultFiring } from "./control/fault-operations.ts";
import type { DrillRow } from "./control/receiver-operations.ts";
import type { DeliveryRow, EventRow, JobRow, ProcurementRow, RequestRow, StateChange } from "./control/rows.ts";

/** A change of the world itself; changes of its clock, settings and limits include the values before and after. */
export interface WorldChange {
  readonly what:
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
 * The list rows of the job and the order that a change affects, read when it is sent; null when deleted. They are not
 * part of the log.
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
 * An entry of a world's ordered log as `GET /__sandbox/live` sends it: the SSE `id` is `id`, `event` is `kind`, and
 * `data` is this object. IDs grow strictly within a world.
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
 * Control messages of the stream. `ready` opens it, `reset` says that the log restarted and all cached data is stale,
 * `dropped` ends it with a reason. On a stream of several worlds (`?worlds=`), `of_world` names the world of everything
 * that follows, `dropped` ends only that world's feed, and `missing` says that a feed cannot start yet. Both kinds of
 * feed restart with `ready`, as for a new reader.
 */
export interface LiveControl {
  of_world: { readonly world: string };
  missing: { readonly is_there: boolean; readonly reason: string };
  ready: { readonly world: string; readonly version: string; readonly last_id: number };
  reset: { readonly reason: string };
  dropped: { readonly reason: string };
}

/** Reason of the `reset` after a restore, which keeps the world's creation time. */
export const RESTORED = "the world was restored from a snapshot";
