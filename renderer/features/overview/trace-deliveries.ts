import { queryOptions, useQuery } from "@tanstack/react-query";
import type { DeliveryRow, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { callControl } from "../../lib/service-client.ts";

/** The newest deliveries are enough for the traces on the screen; of what is older nothing is claimed. */
const NEWEST = 200;

const newestDeliveriesQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("of traces"),
    queryFn: async ({ signal }) => callControl("deliveries.list", { limit: NEWEST, world }, { signal }),
  });

/** How the deliveries of one trace stand. */
export interface TraceDeliveries {
  readonly all: number;
  readonly delivered: number;
  readonly failed: number;
  /** Attempts that failed, of deliveries that wait for another. */
  readonly retrying: number;
}

/** The deliveries by their trace; what was sent again by a person is no delivery more. */
export const byTrace = (rows: readonly Pick<DeliveryRow, "trace_id" | "status" | "repeats_id" | "attempts_made">[]) => {
  const counts = new Map<string, TraceDeliveries>();
  for (const { trace_id, status, repeats_id, attempts_made } of rows) {
    if (repeats_id !== null) continue;
    const before = counts.get(trace_id) ?? { all: 0, delivered: 0, failed: 0, retrying: 0 };
    counts.set(trace_id, {
      all: before.all + 1,
      delivered: before.delivered + (status === "delivered" ? 1 : 0),
      failed: before.failed + (status === "failed" ? 1 : 0),
      retrying: before.retrying + (status === "pending" ? attempts_made : 0),
    });
  }
  return counts;
};

/** Finds how the deliveries of a trace stand: null where it has none, undefined where it is not known. */
export const useTraceDeliveries = (): ((row: RequestRow) => TraceDeliveries | null | undefined) => {
  const { data } = useQuery({
    ...newestDeliveriesQuery(useWorld()),
    select: ({ items, next_cursor }) => ({
      counts: byTrace(items),
      knownSince: next_cursor === null ? "" : (items.at(-1)?.created_at ?? ""),
    }),
  });
  return (row) => {
    if (row.events === 0) return null;
    if (!data) return undefined;
    return data.counts.get(row.trace_id) ?? (row.at > data.knownSince ? null : undefined);
  };
};
