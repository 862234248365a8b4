import type { FaultFiring } from "../contract/control/fault-rows.ts";
import type { DrillRow } from "../contract/control/receiver-rows.ts";
import type { DeliveryRow, EventRow, RequestRow, StateChange } from "../contract/control/rows.ts";
import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";
import { deliveryRow } from "../storage/delivery-rows.ts";
import type { World } from "../worlds/world.ts";

/** How many rows are looked through between two turns of the event loop. */
const AT_A_TIME = 1_000;

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

/** A trace, and what led to it: that is part of it even where the log has forgotten it. */
interface Link {
  readonly traceId: string;
  readonly event_seq?: number;
  readonly delivery?: DeliveryRecord;
}

const dataOf = <K extends LiveKind>(entries: readonly LiveEntry[], kind: K): LiveData[K][] =>
  entries.flatMap((entry) => (entry.kind === kind ? [entry.data as LiveData[K]] : []));

/** What is in no index is looked through, newest first and without holding up anybody. */
const lookThrough = async (
  world: World,
  find: (before: number, limit: number) => { readonly found: number | null; readonly last: number | null },
): Promise<number | null> => {
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null && !world.closed; ) {
    const { found, last } = find(before, AT_A_TIME);
    if (found !== null) return found;
    before = last;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return null;
};

/** @param id of a request, an event, a notification, a delivery (its tries have no id of their own) or a drill */
const linkOf = async (world: World, id: string): Promise<Link | null> => {
  const { log, requests, outbox, events, drills } = world.stores;
  if (requests.ofTrace(id) || log.ofTrace(id).length > 0) return { traceId: id };
  const delivery = outbox.delivery(id);
  if (delivery) return { traceId: delivery.event.trace_id, event_seq: delivery.event_seq, delivery };
  const drill = drills.get(id);
  if (drill) return { traceId: drill.trace_id };
  const event_seq =
    (await lookThrough(world, (before, limit) => events.find(id, before, limit))) ??
    (await lookThrough(world, (before, limit) => events.findByMessage(id, before, limit)));
  const event = event_seq === null ? undefined : events.get(event_seq);
  return event && event_seq !== null ? { traceId: event.trace_id, event_seq } : null;
};

const byId = <T extends { readonly id: string }>(rows: readonly T[]): T[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/** The chain of one call, put together from any of its links; null when nothing that is kept has this id. */
export const traceOf = async (world: World, id: string): Promise<Trace | null> => {
  const link = await linkOf(world, id);
  if (!link) return null;
  const { log, requests, outbox, events } = world.stores;
  const entries = log.ofTrace(link.traceId);
  const told = dataOf(entries, "delivery").map((row) => outbox.delivery(row.id));
  const deliveries = [...told, link.delivery].flatMap((delivery) => delivery ?? []);
  // As they are now; the log has them as they were.
  const places = new Set([link.event_seq, ...deliveries.map(({ event_seq }) => event_seq)]);
  const now = [...places].flatMap((seq) => (seq === undefined ? [] : (events.get(seq) ?? [])));
  return {
    id: link.traceId,
    request: requests.ofTrace(link.traceId) ?? null,
    changes: dataOf(entries, "state"),
    // One that is not among those has no delivery any more: what it had was told of in this trace.
    events: byId([...dataOf(entries, "event").map((event) => ({ ...event, deliveries: 0 })), ...now]),
    faults: dataOf(entries, "fault"),
    deliveries: byId(deliveries).map(deliveryRow),
    drills: dataOf(entries, "drill"),
  };
};
