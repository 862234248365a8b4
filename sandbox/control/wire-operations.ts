import { MAX_PINNED_CALLS, USER_AGENT_CALLS } from "../contract/control/explain-operations.ts";
import type { tracesGet } from "../contract/control/operations.ts";
import { MAX_TRACE_ATTEMPTS } from "../contract/control/rows.ts";
import { refuse } from "../contract/errors.ts";
import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import type { ResponseOf } from "../contract/operation.ts";
import { findWorldOrigin } from "../snapshots/world-origin.ts";
import { deliveryRow } from "../storage/delivery-records.ts";
import { listBySeq } from "../storage/lists.ts";
import { requestList, requestQuery } from "../storage/requests-store.ts";
import type { World } from "../worlds/world.ts";
import { explainCall } from "./explain-call.ts";
import { explainReceipt } from "./explain-receipt.ts";
import { explainStray, findStray } from "./explain-stray.ts";
import { type BoundControl, control, refuseUnknownCall, refuseUnknownLink } from "./handler.ts";
import { mergeChanges } from "./merge-changes.ts";
import { pagedControl, readPage } from "./paging.ts";

const pickData = <K extends LiveKind>(entries: readonly LiveEntry[], kind: K): LiveData[K][] =>
  entries.flatMap((entry) => (entry.kind === kind ? [entry.data as LiveData[K]] : []));

/** @param id of a call, event, notification, delivery (its attempts have no ID) or drill */
const findTraceId = (world: World, id: string): string | null => {
  const { log, requests, outbox, events, drills } = world.stores;
  if (requests.findByTrace(id) || log.listByTrace(id).length > 0) return id;
  const seq = events.find(id);
  const event = seq === undefined ? undefined : events.get(seq);
  return outbox.delivery(id)?.trace_id ?? drills.get(id)?.trace_id ?? event?.trace_id ?? null;
};

/** Trace that contains an ID; null if nothing stored has it. */
export const readTrace = (world: World, id: string): ResponseOf<typeof tracesGet> | null => {
  const traceId = findTraceId(world, id);
  if (traceId === null) return null;
  const { log, requests, outbox, events } = world.stores;
  const entries = log.listByTrace(traceId);
  return {
    id: traceId,
    request: requests.findByTrace(traceId) ?? null,
    changes: mergeChanges(pickData(entries, "state")),
    events: events.listByTrace(traceId),
    faults: pickData(entries, "fault"),
    deliveries: outbox.listByTrace(traceId).map(deliveryRow),
    attempts: outbox.attemptsOfTrace(traceId, MAX_TRACE_ATTEMPTS),
    drills: pickData(entries, "drill"),
  };
};

const events = listBySeq("events");
export const wireControls: readonly BoundControl[] = [
  pagedControl("events.list", (context, { ids }, pageRequest) =>
    readPage(context, events, { ids }, pageRequest, (seq) => context.world.stores.events.get(seq)),
  ),
  pagedControl("requests.list", (context, { direction, from, to, ...filter }, pageRequest) => {
    const { world, caller, maySee } = context;
    const since = (time: string | undefined) => (time === undefined ? undefined : world.db.toStored(Date.parse(time)));
    const query = requestQuery(world.db, {
      ...filter,
      from: since(from),
      to: since(to),
      oldestFirst: direction === "asc",
      seesAll: caller.token === null,
    });
    return readPage(context, requestList, query, pageRequest, (seq) => world.stores.requests.at(seq, maySee));
  }),
  control("requests.get", ({ world, maySee }, { id }) => {
    return world.stores.requests.get(id.toLowerCase(), maySee) ?? refuseUnknownCall(id);
  }),
  control("requests.explain", async (context, { id }) => {
    const { worlds, worldName, maySee, sink, caller, activity, snapshots } = context;
    const isOperator = caller.token === null;
    // An operator can find a call to a world that doesn't exist.
    const world = isOperator && !worlds.isThere(worldName) ? null : context.world;
    const detail = world?.stores.requests.get(id.toLowerCase());
    if (world && detail)
      return explainCall(world, worlds, detail, maySee, () => findWorldOrigin({ worlds, snapshots }, world));
    if (!isOperator) return refuseUnknownCall(id);
    // Notifications to the test receiver and calls to worlds that don't exist belong to no world.
    const receipt = sink.find(id.toLowerCase());
    if (receipt) return explainReceipt(receipt);
    const stray = await findStray(activity, id.toLowerCase());
    if (!stray) {
      worlds.mustHave(worldName);
      return refuseUnknownCall(id);
    }
    return explainStray(
      stray,
      (await worlds.listAll()).map(({ name }) => name),
      snapshots.deletedAt(stray.world, Date.parse(stray.at)),
    );
  }),
  control("requests.annotate", ({ world }, { id: given, pinned, note }) => {
    if (pinned === undefined && note === undefined) return refuse("bad_request", "give /pinned or /note");
    const id = given.toLowerCase();
    return world.write((append) => {
      const { requests } = world.stores;
      const row = requests.findByTrace(id);
      if (!row) return refuseUnknownCall(given);
      if (pinned && !row.pinned && requests.countPinned() >= MAX_PINNED_CALLS)
        return refuse(
          "unprocessable",
          `${MAX_PINNED_CALLS} calls of this world are already pinned, the limit. Unpin one first`,
        );
      requests.annotate(id, { pinned, note });
      append("world", null, { what: "requests" });
      return requests.findByTrace(id) ?? row;
    });
  }),
  control("requests.user-agents", ({ world }) => ({ items: world.stores.requests.userAgents(USER_AGENT_CALLS) })),
  control("traces.list", ({ world }, { events = 100 }) => ({ items: world.stores.events.deliveriesOfTraces(events) })),
  control("traces.get", ({ world }, { id }) => {
    const known = id.toLowerCase();
    const trace = readTrace(world, known);
    if (trace) return trace;
    const { jobs, procurements } = world.stores;
    if (!jobs.get(known) && !procurements.get(known)) return refuseUnknownLink(id);
    return refuse(
      "not_found",
      `/id ${id} is a job or an order, which can have many traces. Use requests.list with its job_id or procurement_id`,
    );
  }),
];
