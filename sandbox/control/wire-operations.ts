import { eventsList, requestsGet, requestsList, tracesGet } from "../contract/control/operations.ts";
import { refuse } from "../contract/errors.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";
import { Conditions, decodeCursor, encodeCursor, pageOf } from "./paging.ts";
import { traceOf } from "./traces.ts";

const LIMIT = 100;

const listEvents = (world: World, cursor: string | undefined, limit: number) => {
  const from = cursor === undefined ? null : decodeCursor(cursor);
  const found = world.stores.events.newest(from?.seq ?? Number.MAX_SAFE_INTEGER, limit + 1);
  const { rows, last } = pageOf(found, limit);
  return {
    items: rows.map(({ row }) => row),
    next_cursor: last ? encodeCursor(0, last.seq) : null,
    total: new Conditions().count(world.db, "events"),
  };
};

/** What went over the wire: events, exchanges and the traces that join them. */
export const wireControls: readonly BoundControl[] = [
  control(eventsList, ({ world }, { cursor, limit = LIMIT }) => listEvents(world, cursor, limit)),
  control(requestsList, ({ world }, { cursor, limit = LIMIT, direction, ...filter }) => {
    const from = cursor === undefined ? null : decodeCursor(cursor);
    const { rows, last, total } = world.stores.requests.list({
      ...filter,
      oldestFirst: direction === "asc",
      beyond: from?.seq,
      limit,
    });
    return { items: rows, next_cursor: last === null ? null : encodeCursor(0, last), total };
  }),
  control(
    requestsGet,
    ({ world }, { id }) =>
      world.stores.requests.get(id.toLowerCase()) ?? refuse("not_found", `/id ${id} is no exchange that is still kept`),
  ),
  control(tracesGet, async ({ world }, { id }) => {
    const known = id.toLowerCase();
    const trace = await traceOf(world, known);
    if (trace) return trace;
    const { jobs, procurements } = world.stores;
    if (!jobs.get(known) && !procurements.get(known))
      return refuse("not_found", `/id ${id} is no link of a trace that is still kept`);
    return refuse(
      "not_found",
      `/id ${id} is a job or a procurement, which many calls may have changed; requests.list with its job_id or procurement_id lists them, each with its trace_id`,
    );
  }),
];
