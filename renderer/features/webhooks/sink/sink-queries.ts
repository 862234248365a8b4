import { queryOptions } from "@tanstack/react-query";
import { worldKeys } from "../../../app/query-keys.ts";
import { callControl } from "../../../lib/service-client.ts";

/** The sink takes posts of every world and of any program, and those are on no world's feed: it is asked now and then. */
const ASK_AGAIN_MS = 3_000;

/** What the sink accepted and refused, newest first. Among the receivers' keys: a delivery makes those stale. */
export const sinkQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).receivers("sink"),
    queryFn: async ({ signal }) => (await callControl("sink.list", { world }, { signal })).items,
    staleTime: 0,
    refetchInterval: ASK_AGAIN_MS,
  });
