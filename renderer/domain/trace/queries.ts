import { queryOptions, skipToken } from "@tanstack/react-query";
import type { tracesGet } from "../../../sandbox/contract/control/operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";

/** What one call set in motion: what it changed, its events and their deliveries. */
export type Trace = ResponseOf<typeof tracesGet>;

/** The trace of a call; none is asked for without its id. */
export const traceQuery = (world: string, id: string | null) =>
  queryOptions({
    queryKey: worldKeys(world).traces(id),
    queryFn: id === null ? skipToken : ({ signal }) => callControl("traces.get", { world, id }, { signal }),
  });

/** Why an exchange was answered as it was. It proposes from what the world knows now, so it is asked once and again. */
export const explanationQuery = (world: string, id: string | null) =>
  queryOptions({
    queryKey: worldKeys(world).requests("recent", "explain", id ?? ""),
    queryFn: id === null ? skipToken : ({ signal }) => callControl("requests.explain", { world, id }, { signal }),
    staleTime: 0,
  });

/** How far the deliveries of the newest traces have come, by the trace. */
export const traceDeliveriesQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).traces("deliveries"),
    queryFn: async ({ signal }) => {
      const { items } = await callControl("traces.list", { events: 200, world }, { signal });
      return new Map(items.map((counts) => [counts.id, counts]));
    },
  });
