import { requestsExplain } from "../contract/control/explain-operations.ts";
import { eventsList, requestsGet, requestsList, tracesGet, tracesList } from "../contract/control/operations.ts";
import {
  AGENTS_OF_NEWEST,
  MOST_PINNED,
  requestsAnnotate,
  requestsUserAgents,
} from "../contract/control/request-operations.ts";
import { refuse } from "../contract/errors.ts";
import { inOrderOf } from "../storage/lists.ts";
import { requestList, requestQuery } from "../storage/requests-store.ts";
import { explained } from "./explain.ts";
import { type BoundControl, control } from "./handler.ts";
import { noCall, noLink } from "./not-kept.ts";
import { pagedControl, pageFrom } from "./paging.ts";
import { traceOf } from "./traces.ts";

const events = inOrderOf("events");
/** What went over the wire: events, exchanges and the traces that join them. */
export const wireControls: readonly BoundControl[] = [
  pagedControl(eventsList, (context, { ids }, asked) =>
    pageFrom(context, events, { ids }, asked, (seq) => context.world.stores.events.get(seq)),
  ),
  pagedControl(requestsList, (context, { direction, from, to, ...filter }, asked) => {
    const { world } = context;
    const since = (time: string | undefined) => (time === undefined ? undefined : world.db.toStored(Date.parse(time)));
    const query = requestQuery(world.db, {
      ...filter,
      from: since(from),
      to: since(to),
      oldestFirst: direction === "asc",
    });
    return pageFrom(context, requestList, query, asked, (seq) => world.stores.requests.at(seq));
  }),
  control(requestsGet, ({ world }, { id }) => {
    return world.stores.requests.get(id.toLowerCase()) ?? noCall(id);
  }),
  control(requestsExplain, ({ world, worlds }, { id }) => {
    const detail = world.stores.requests.get(id.toLowerCase());
    return detail ? explained(world, worlds, detail) : noCall(id);
  }),
  control(requestsAnnotate, ({ world }, { id: given, pinned, note }) => {
    if (pinned === undefined && note === undefined) return refuse("bad_request", "give /pinned or /note");
    const id = given.toLowerCase();
    return world.write((append) => {
      const { requests } = world.stores;
      const row = requests.ofTrace(id);
      if (!row) return noCall(given);
      if (pinned && !row.pinned && requests.pinned() >= MOST_PINNED)
        return refuse(
          "unprocessable",
          `${MOST_PINNED} calls of this world are already pinned, the limit. Unpin one first`,
        );
      requests.annotate(id, { pinned, note });
      append("world", null, { what: "requests" });
      return requests.ofTrace(id) ?? row;
    });
  }),
  control(requestsUserAgents, ({ world }) => ({ items: world.stores.requests.userAgents(AGENTS_OF_NEWEST) })),
  control(tracesList, ({ world }, { events = 100 }) => ({ items: world.stores.events.deliveriesOfTraces(events) })),
  control(tracesGet, ({ world }, { id }) => {
    const known = id.toLowerCase();
    const trace = traceOf(world, known);
    if (trace) return trace;
    const { jobs, procurements } = world.stores;
    if (!jobs.get(known) && !procurements.get(known)) return noLink(id);
    return refuse(
      "not_found",
      `/id ${id} is a job or an order, which can have many traces. Use requests.list with its job_id or procurement_id`,
    );
  }),
];
