import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Total } from "../../../lib/formatting.ts";
import { useUi } from "../../ui-store.ts";
import { useWorld } from "../../world.ts";
import { recentRefusalsQuery, recentRequestsQuery } from "../../world-queries.ts";
import { matchesExchange } from "./exchange-filter.ts";
import { useTraceOf } from "./traced.ts";
import { useWho } from "./who.ts";

export interface Listed {
  /** Those that match what was typed. */
  readonly rows: readonly RequestRow[];
  /** How many they were looked for among, and of how many in all these are the last. */
  readonly among: number;
  readonly total: Total;
  readonly searching: boolean;
}

const none: readonly RequestRow[] = [];

/**
 * The last exchanges, or the last refused ones, that match what was typed; an identifier finds its own however long ago
 * that was.
 */
export const useListed = (): Listed => {
  const world = useWorld();
  const who = useWho();
  const only = useUi((state) => state.wireOnly);
  const typed = useUi((state) => state.wireTyped).trim();
  const all = useQuery(recentRequestsQuery(world));
  const refused = useQuery({ ...recentRefusalsQuery(world), enabled: only === "refused" });
  const { data, isPending } = only === "refused" ? refused : all;
  const { trace, searching } = useTraceOf(typed);
  const items = data?.items ?? none;
  const rows = trace
    ? trace.request
      ? [trace.request]
      : none
    : items.filter((row) => matchesExchange(row, who(row), typed));
  return {
    rows,
    among: items.length,
    total: { total: data?.total ?? 0, total_is_minimum: data?.total_is_minimum ?? false },
    searching: searching || isPending,
  };
};
