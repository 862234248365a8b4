import type { QueryClient } from "@tanstack/react-query";
import { changedSomething, isRefused } from "../../../sandbox/contract/control/exchange-kinds.ts";
import type { DeliveryRow, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import type { LiveEntry } from "../../../sandbox/contract/live.ts";
import { serviceKeys, worldKeys } from "../query-keys.ts";
import { RECENT_CHANGES, RECENT_REFUSALS, RECENT_REQUESTS } from "../world-queries.ts";
import { patchRows, prependRow } from "./patch.ts";
import { createThrottle } from "./throttle.ts";

type Kind = Exclude<keyof ReturnType<typeof worldKeys>, "all">;

const kindsOfEntity = {
  job: ["jobs", "partner"],
  parts: ["jobs", "partner"],
  procurement: ["procurements", "jobs", "partner"],
  credential: ["credentials"],
  // What waited for one that ends, its drills, and the receiver that loses it.
  subscription: ["subscriptions", "deliveries", "drills", "receivers"],
} as const satisfies Record<string, readonly Kind[]>;

/**
 * Writes what the feed says into the query cache. Rows that are complete in an entry (requests, deliveries) are
 * patched in place; everything else is marked stale and read again, each kind at most four times a second.
 * Reads never make anything stale, so the explorer's own calls do not chase each other.
 */
export const createCacheSync = (client: QueryClient, world: string) => {
  const keys = worldKeys(world);
  const stale = createThrottle(250, (kind) => {
    void client.invalidateQueries({
      queryKey: ["world", world, kind],
      predicate: (query) => query.queryKey[3] !== "recent",
    });
  });
  const touch = (...kinds: readonly Kind[]) => {
    for (const kind of kinds) stale(kind);
  };

  const request = (row: RequestRow) => {
    const prepend = (most: number, ...which: readonly string[]) => {
      const queryKey = keys.requests("recent", ...which);
      const put = () => client.setQueryData(queryKey, (data: unknown) => prependRow(data, row, most));
      put();
      const query = client.getQueryCache().find({ queryKey, exact: true });
      // What is being read may have left the service before this row was there: it is put into that as well.
      if (query?.state.fetchStatus === "fetching")
        void query.promise?.then(
          () => setTimeout(put),
          () => undefined,
        );
    };
    prepend(RECENT_REQUESTS);
    if (changedSomething(row)) prepend(RECENT_CHANGES, "changes");
    if (isRefused(row)) prepend(RECENT_REFUSALS, "refusals");
    touch("requests");
  };
  const delivery = (row: DeliveryRow) => {
    client.setQueriesData({ queryKey: keys.deliveries() }, (data: unknown) => patchRows(data, row));
    // A delivery to a receiver of the service itself is one that arrived there.
    touch("deliveries", "subscriptions", "receivers", "traces");
  };

  const startAnew = () => {
    void client.resetQueries({ queryKey: keys.all });
  };

  const take = (entry: LiveEntry) => {
    if (entry.kind === "request") request(entry.data);
    else if (entry.kind === "delivery") delivery(entry.data);
    else if (entry.kind === "state") touch(...kindsOfEntity[entry.data.entity], "traces");
    else if (entry.kind === "event") touch("traces");
    else if (entry.kind === "drill") touch("drills", "receivers");
    else if (entry.kind === "fault") touch("faults", "traces");
    else if (entry.data.what === "reset") startAnew();
    else touch(entry.data.what);
  };

  return {
    take: (entries: readonly LiveEntry[]) => {
      for (const entry of entries) take(entry);
    },
    /** The world is another one under the same name: nothing cached may be shown for a moment longer. */
    startAnew,
    /** After a gap that the feed itself made up for: only what could not be read meanwhile is missing. */
    retryFailed: () => {
      void client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    },
    /** After a gap of unknown length: everything in sight is read again. */
    refreshAll: () => {
      void client.invalidateQueries({ queryKey: keys.all });
      void client.invalidateQueries({ queryKey: serviceKeys.info });
    },
  };
};
