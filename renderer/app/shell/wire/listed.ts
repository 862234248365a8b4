import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { matchesExchange, useWho } from "../../../domain/exchange/exchange.tsx";
import type { Trace } from "../../../domain/trace/queries.ts";
import { isId } from "../../../lib/search-params.ts";
import { callControl } from "../../../lib/service-client.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { worldKeys } from "../../query-keys.ts";
import { useUi } from "../../ui-store.ts";
import { useWorld } from "../../world.ts";
import { recentRequestsQuery } from "../../world-queries.ts";

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

const none: readonly RequestRow[] = [];

/** The last exchanges that match what was typed; an identifier finds its own however long ago that was. */
export const useListed = () => {
  const world = useWorld();
  const who = useWho();
  const typed = useUi((state) => state.wireTyped).trim();
  const { data, isPending } = useQuery(recentRequestsQuery(world));
  const { trace, searching } = useTraceOf(typed);
  const items = data?.items ?? none;
  const rows = trace
    ? trace.request
      ? [trace.request]
      : none
    : items.filter((row) => matchesExchange(row, who(row), typed));
  return {
    /** Those that match what was typed. */
    rows,
    /** How many they were looked for among, and of how many in all these are the last. */
    among: items.length,
    total: data,
    searching: searching || isPending,
  };
};
export type Listed = ReturnType<typeof useListed>;
