import { eventsList, requestsGet, requestsList, tracesGet } from "../contract/control/operations.ts";
import type { DeliveryRow, EventRow, StateChange } from "../contract/control/rows.ts";
import { refuse } from "../contract/errors.ts";
import { deliveryRow } from "../storage/delivery-rows.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control, iso } from "./handler.ts";
import { Conditions, decodeCursor, encodeCursor, pageOf } from "./paging.ts";

const LIMIT = 100;

const isA =
  <T>(kind: string) =>
  (entry: { readonly kind: string; readonly data: unknown }): T[] =>
    entry.kind === kind ? [entry.data as T] : [];

const listEvents = (world: World, cursor: string | undefined, limit: number) => {
  const from = cursor === undefined ? null : decodeCursor(cursor);
  type Stored = Omit<EventRow, "event_timestamp" | "payload"> & {
    seq: number;
    event_timestamp: number;
    payload: string;
  };
  const found = world.db.all<Stored>(
    "SELECT e.seq, e.id, e.event_type, e.event_timestamp, e.organization_id, e.payload, e.trace_id, e.label, " +
      "e.deliveries FROM events e WHERE e.seq < ? ORDER BY e.seq DESC LIMIT ?",
    from?.seq ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  );
  const { rows, last } = pageOf(found, limit);
  return {
    items: rows.map(({ seq: _seq, ...row }) => ({
      ...row,
      event_timestamp: iso(world.db.fromStored(row.event_timestamp)),
      payload: JSON.parse(row.payload) as Record<string, string>,
    })),
    next_cursor: last ? encodeCursor(0, last.seq) : null,
    total: new Conditions().count(world.db, "events"),
  };
};

/** What went over the wire: events, exchanges and the traces that join them. */
export const wireControls: readonly BoundControl[] = [
  control(eventsList, ({ world }, { cursor, limit = LIMIT }) => listEvents(world, cursor, limit)),
  control(requestsList, ({ world }, { search, job_id, procurement_id, cursor, limit = LIMIT }) => {
    const from = cursor === undefined ? null : decodeCursor(cursor);
    const { rows, last, total } = world.stores.requests.list({
      search,
      job_id,
      procurement_id,
      before: from?.seq,
      limit,
    });
    return { items: rows, next_cursor: last === null ? null : encodeCursor(0, last), total };
  }),
  control(
    requestsGet,
    ({ world }, { id }) =>
      world.stores.requests.get(id.toLowerCase()) ?? refuse("not_found", `/id ${id} is no exchange that is still kept`),
  ),
  control(tracesGet, ({ world }, { id }) => {
    const traceId = id.toLowerCase();
    const { log, requests, outbox } = world.stores;
    const entries = log.ofTrace(traceId);
    const request = requests.ofTrace(traceId) ?? null;
    if (entries.length === 0 && !request) return refuse("not_found", `/id ${id} is no trace that is still kept`);
    const latest = new Map(
      entries.flatMap(isA<DeliveryRow>("delivery")).map((row) => [row.id, outbox.delivery(row.id)]),
    );
    return {
      id: traceId,
      request,
      changes: entries.flatMap(isA<StateChange>("state")),
      events: entries.flatMap(isA<EventRow>("event")),
      deliveries: [...latest.values()].flatMap((delivery) => (delivery ? [deliveryRow(delivery)] : [])),
    };
  }),
];
