import { useQuery } from "@tanstack/react-query";
import type { Trace } from "../../../domain/trace/queries.ts";
import { isId } from "../../../lib/search-params.ts";
import { callControl } from "../../../lib/service-client.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { worldKeys } from "../../query-keys.ts";
import { useWorld } from "../../world.ts";

/**
 * The trace an identifier belongs to: of an exchange (`x-request-id`), an event, a notification (`message_id`), a
 * delivery or a drill. Null where nothing that is kept has it, or the text is no identifier.
 */
export const useTraceOf = (typed: string): { readonly trace: Trace | null; readonly searching: boolean } => {
  const world = useWorld();
  const id = typed.trim().toLowerCase();
  const enabled = isId(id);
  const { data, isPending } = useQuery({
    // What an identifier belongs to never changes: with "recent" it is not read again for every call.
    queryKey: worldKeys(world).requests("recent", "trace of", id),
    enabled,
    // What is not there may be by the next time somebody asks.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Trace | null> => {
      try {
        return await callControl("traces.get", { id, world }, { signal });
      } catch (error) {
        if (error instanceof ServiceFailure && error.status === 404) return null;
        throw error;
      }
    },
  });
  return { trace: enabled ? (data ?? null) : null, searching: enabled && isPending };
};
