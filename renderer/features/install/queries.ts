import { queryOptions } from "@tanstack/react-query";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";

/**
 * How long the service worked on an exchange, in milliseconds, as it has it on record. Not among the requests' keys:
 * what is on record never changes, whatever is called after it.
 */
export const servedQuery = (world: string, requestId: string | null) =>
  queryOptions({
    queryKey: [...worldKeys(world).all, "install", "served", requestId] as const,
    enabled: requestId !== null,
    queryFn: async ({ signal }) =>
      (await callControl("requests.get", { id: requestId ?? "", world }, { signal })).duration_ms,
    // It is written down after it was answered.
    retry: 2,
  });
