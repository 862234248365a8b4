import type { FaultFiring } from "../contract/control/fault-rows.ts";
import type { DrillRow } from "../contract/control/receiver-rows.ts";
import type { DeliveryRow, EventRow, RequestRow, StateChange } from "../contract/control/rows.ts";
import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import { deliveryRow } from "../storage/delivery-records.ts";
import type { World } from "../worlds/world.ts";

/** What one call came to. */
export interface Trace {
  readonly id: string;
  readonly request: RequestRow | null;
  readonly changes: StateChange[];
  readonly events: EventRow[];
  readonly faults: FaultFiring[];
  readonly deliveries: DeliveryRow[];
  readonly drills: DrillRow[];
}

const dataOf = <K extends LiveKind>(entries: readonly LiveEntry[], kind: K): LiveData[K][] =>
  entries.flatMap((entry) => (entry.kind === kind ? [entry.data as LiveData[K]] : []));

/** @param id of a request, an event, a notification, a delivery (its attempts have no id of their own) or a drill */
const traceIdOf = (world: World, id: string): string | null => {
  const { log, requests, outbox, events, drills } = world.stores;
  if (requests.ofTrace(id) || log.ofTrace(id).length > 0) return id;
  const seq = events.find(id);
  const event = seq === undefined ? undefined : events.get(seq);
  return outbox.delivery(id)?.trace_id ?? drills.get(id)?.trace_id ?? event?.trace_id ?? null;
};

/** The chain of one call, put together from any of its links; null when nothing that is kept has this id. */
export const traceOf = (world: World, id: string): Trace | null => {
  const traceId = traceIdOf(world, id);
  if (traceId === null) return null;
  const { log, requests, outbox, events } = world.stores;
  const entries = log.ofTrace(traceId);
  return {
    id: traceId,
    request: requests.ofTrace(traceId) ?? null,
    changes: dataOf(entries, "state"),
    events: events.ofTrace(traceId),
    faults: dataOf(entries, "fault"),
    deliveries: outbox.ofTrace(traceId).map(deliveryRow),
    drills: dataOf(entries, "drill"),
  };
};
