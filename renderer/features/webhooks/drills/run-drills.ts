import { queryOptions, useMutation, useMutationState, useQuery } from "@tanstack/react-query";
import type { Scorecard } from "../../../../sandbox/contract/control/receiver-operations.ts";
import type { DrillName } from "../../../../sandbox/contract/drill-names.ts";
import { useChanged } from "../../../kernel/queries/changes.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { announce } from "../../../lib/announce.ts";
import { callControl } from "../../../lib/service-client.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useDeliveriesEnabled, useEnded } from "../queries.ts";
import { evaluateCard, scoreText } from "./score.ts";

/** A subscription's latest result of every drill; null once it has ended, which this query may be the first to find. */
export const scorecardQuery = (world: string, subscriptionId: string) =>
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
    select: (card) => card && evaluateCard(card),
  });

/**
 * Runs drills on a subscription, and returns the running ones, including those started on another page. Each request
 * ends after ten seconds at most (D72).
 * @param deliveryId source of the drills; default: the newest delivery
 */
export const useDrills = (subscriptionId: string, deliveryId?: string) => {
  const world = useWorld();
  const changed = useChanged();
  const query = useQuery(scorecardQuery(world, subscriptionId));
  const sends = useDeliveriesEnabled();
  const isEnded = useEnded(subscriptionId) || query.data === null;
  const mutationKey = ["drills", world, subscriptionId];
  const mutation = useMutation({
    mutationKey,
    mutationFn: async ({ drill, source }: { drill: DrillName | "all"; source: string }): Promise<string> =>
      drill === "all"
        ? scoreText(evaluateCard(await callControl("drills.run-all", { subscription_id: subscriptionId, world })))
        : (await callControl("deliveries.send-drill", { id: source, drill, world })).sentence,
    onSuccess: announce,
    onSettled: () => changed(["drill"]),
  });
  const running = useMutationState({
    filters: { mutationKey, status: "pending" },
    select: ({ state }) => (state.variables as { drill: DrillName | "all" }).drill,
  });
  const source = deliveryId ?? query.data?.newest_delivery?.id;
  /** The reason why no drill can run although there is a delivery; null when one can. */
  const why = !sends
    ? "Deliveries are off: start the service with --deliveries on for drills."
    : isEnded
      ? "The subscription has ended. Subscribe the URL again to run drills."
      : null;
  const isRunning = (drill: DrillName | "all") => running.includes(drill) || running.includes("all");
  return {
    read: query,
    card: query.data,
    subscriptionId,
    why,
    canRun: why === null && source !== undefined,
    error: mutation.error,
    isRunning,
    run: (drill: DrillName | "all") => {
      if (why === null && source !== undefined && !isRunning(drill)) mutation.mutate({ drill, source });
    },
  };
};

export type Drilling = ReturnType<typeof useDrills>;
