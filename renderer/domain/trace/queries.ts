import { queryOptions, skipToken } from "@tanstack/react-query";
import type { tracesGet } from "../../../sandbox/contract/control/operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";

/** The consequences of a call: changes, events and deliveries. */
export type Trace = ResponseOf<typeof tracesGet>;

/** The trace of a call; disabled without an ID. */
export const traceQuery = (world: string, id: string | null) =>
  queryOptions({
    queryKey: worldKeys(world).traces(id),
    queryFn: id === null ? skipToken : ({ signal }) => callControl("traces.get", { world, id }, { signal }),
  });

/**
 * The cause of a call's response. Its proposals depend on the world's current data, so it is fetched again each time.
 */
export const explanationQuery = (world: string, id: string | null) =>
  queryOptions({
    queryKey: worldKeys(world).requests("recent", "explain", id ?? ""),
    queryFn: id === null ? skipToken : ({ signal }) => callControl("requests.explain", { world, id }, { signal }),
    staleTime: 0,
  });

/** Delivery counts of the newest traces, by trace. */
export const traceDeliveriesQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).traces("deliveries"),
    queryFn: async ({ signal }) => {
      const { items } = await callControl("traces.list", { events: 200, world }, { signal });
      return new Map(items.map((counts) => [counts.id, counts]));
    },
  });
