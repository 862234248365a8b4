import { queryOptions } from "@tanstack/react-query";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";

/** How far the deliveries of the newest traces have come, by the trace. */
export const traceDeliveriesQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).traces("deliveries"),
    queryFn: async ({ signal }) => {
      const { items } = await callControl("traces.list", { events: 200, world }, { signal });
      return new Map(items.map((counts) => [counts.id, counts]));
    },
  });

const HEALTH_EVERY_MS = 15_000;

/** Whether the service can serve and write, as it says itself. */
export const healthQuery = () =>
  queryOptions({
    queryKey: ["service", "health"] as const,
    queryFn: async ({ signal }) => {
      const answer = await fetch("/__health", { cache: "no-store", signal });
      if (!answer.ok) throw new Error(`it answers ${answer.status} when asked for its health`);
      return true;
    },
    refetchInterval: HEALTH_EVERY_MS,
    retry: false,
  });
