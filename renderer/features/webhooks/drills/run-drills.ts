import { queryOptions, useMutation, useMutationState, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Scorecard } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { type DrillName, drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { useChanged } from "../../../app/changes.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { announce } from "../../../lib/announce.ts";
import { controlQuery } from "../../../lib/control-query.ts";
import { callControl } from "../../../lib/service-client.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useEnded, useSends } from "../queries.ts";
import { judged, scoreWords } from "./score.ts";

/** A subscription's latest result of every drill; null once it has ended, also where nothing else has said so yet. */
const scorecardQuery = (world: string, subscriptionId: string) =>
  queryOptions({
    queryKey: worldKeys(world).drills("card", subscriptionId),
    queryFn: async ({ signal }): Promise<Scorecard | null> => {
      try {
        return await callControl("drills.list", { subscription_id: subscriptionId, world }, { signal });
      } catch (error) {
        if (error instanceof ServiceFailure && error.status === 404) return null;
        throw error;
      }
    },
  });

/** One result with every byte: read when it is looked at, and it never changes. */
export const drillQuery = (world: string, id: string) =>
  controlQuery([...worldKeys(world).all, "drill", id], "drills.get", { id, world });

interface Run {
  readonly drill: DrillName | "all";
  /** The delivery it is made from. */
  readonly source: string;
  /** The results there were before: a run is done with a drill once it has another one. */
  readonly before: ReadonlySet<string | undefined>;
  readonly stop: AbortController;
}

/**
 * Runs drills on a subscription, and says which are under way: also those that were started on another page of the
 * place. A run that is stopped keeps the results it has; each request ends after ten seconds at the latest (D72).
 *
 * @param deliveryId what they are made from; left out: the newest delivery
 */
export const useDrills = (subscriptionId: string, deliveryId?: string) => {
  const world = useWorld();
  const changed = useChanged();
  const query = useQuery(scorecardQuery(world, subscriptionId));
  const sends = useSends();
  const isEnded = useEnded(subscriptionId) || query.data === null;
  const mutationKey = ["drills", world, subscriptionId];
  const mutation = useMutation({
    mutationKey,
    mutationFn: async ({ drill, source, stop: { signal } }: Run): Promise<string> => {
      if (drill !== "all")
        return (await callControl("deliveries.send-drill", { id: source, drill, world }, { signal })).sentence;
      const request = { subscription_id: subscriptionId, world };
      return scoreWords(judged(await callControl("drills.run-all", request, { signal })));
    },
    onSuccess: announce,
    onError: (_, { stop }) => {
      if (stop.signal.aborted) announce("Stopped. What was answered before is kept.");
    },
    onSettled: () => changed(["drill"]),
  });
  const runs = useMutationState({
    filters: { mutationKey, status: "pending" },
    select: ({ state }) => state.variables as Run,
  });
  const whole = runs.find(({ drill }) => drill === "all");
  const card = useMemo(
    () =>
      query.data &&
      judged(query.data, ({ drill: name, latest }) =>
        runs.some(({ drill, before }) => drill === name || (drill === "all" && before.has(latest?.id))),
      ),
    [query.data, runs],
  );
  const source = deliveryId ?? card?.newest_delivery?.id;
  /** Why no drill can be run although there is a delivery to make it from; null when one can. */
  const why = !sends
    ? "Deliveries are off: start the service with --deliveries on for drills."
    : isEnded
      ? "Its subscription has ended. Subscribe the address again; drills are made from what it is sent then."
      : null;
  return {
    read: { ...query, data: card },
    card,
    why,
    canRun: why === null && source !== undefined,
    /** How many drills of a whole run have their result; null when none is under way. */
    progress: whole ? { done: card?.items.filter(({ running }) => !running).length ?? 0, of: drillNames.length } : null,
    error: mutation.variables?.stop.signal.aborted ? null : mutation.error,
    /** Ends a whole run: what is under way is given up. */
    stop: () => whole?.stop.abort(),
    run: (drill: DrillName | "all") => {
      const isUnderWay = drill === "all" ? whole : card?.items.find((line) => line.drill === drill)?.running;
      if (why !== null || source === undefined || isUnderWay) return;
      const before = new Set(card?.items.map(({ latest }) => latest?.id));
      mutation.mutate({ drill, source, before, stop: new AbortController() });
    },
  };
};

export type Drilling = ReturnType<typeof useDrills>;
