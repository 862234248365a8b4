import { useMutation, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { type DrillName, drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { announce } from "../../../lib/announce.ts";
import { callControl } from "../../../lib/service-client.ts";
import { useSends } from "../queries.ts";
import { drillQuery, scorecardQuery } from "./queries.ts";
import { doneSince, judged, type ResultIds, resultIdsOf, scoreWords } from "./score.ts";

/** Why no drill can be run on a subscription although there is a delivery to make it from; null when one can. */
export const useWhyNoDrill = (subscriptionId: string): string | null => {
  const sends = useSends();
  const { data: subscriptions } = useQuery(subscriptionsQuery(useWorld()));
  if (!sends) return "Deliveries are off: start the service with --deliveries on for drills.";
  if (subscriptions && !subscriptions.some(({ id }) => id === subscriptionId))
    return "Its subscription has ended. Subscribe the address again; drills are made from what it is sent then.";
  return null;
};

interface Run {
  readonly drill: DrillName | "all";
  /** The delivery it is made from. */
  readonly deliveryId: string;
  /** The results there were before. */
  readonly before: ResultIds;
  readonly stop: AbortController;
}

const isRun = (variables: unknown): variables is Run =>
  typeof variables === "object" && variables !== null && "drill" in variables && "before" in variables;

/**
 * Runs drills on a subscription, and says which are under way: also those that were started on another page of the
 * place. A run that is stopped keeps the results it has; each request ends after ten seconds at the latest (D72).
 */
export const useDrills = (subscriptionId: string) => {
  const world = useWorld();
  const client = useQueryClient();
  const read = useQuery({ ...scorecardQuery(world, subscriptionId), select: judged });
  const card = read.data;
  const mutationKey = ["drills", world, subscriptionId];
  const mutation = useMutation({
    mutationKey,
    mutationFn: async ({ drill, deliveryId, stop: { signal } }: Run): Promise<string> => {
      if (drill === "all") {
        const request = { subscription_id: subscriptionId, delivery_id: deliveryId, world };
        const after = await callControl("drills.run-all", request, { signal });
        client.setQueryData(scorecardQuery(world, subscriptionId).queryKey, after);
        return scoreWords(judged(after));
      }
      const result = await callControl("deliveries.send-drill", { id: deliveryId, drill, world }, { signal });
      client.setQueryData(drillQuery(world, result.id).queryKey, result);
      return result.sentence;
    },
    onSuccess: announce,
    onError: (_, { stop }) => {
      if (stop.signal.aborted) announce("Stopped. What was answered before is kept.");
    },
    onSettled: () => client.invalidateQueries({ queryKey: worldKeys(world).drills() }),
  });
  const runs = useMutationState({
    filters: { mutationKey, status: "pending" },
    select: ({ state }) => state.variables,
  }).filter(isRun);
  const whole = runs.find(({ drill }) => drill === "all");
  const done = whole ? doneSince(card, whole.before) : null;
  const underWay: ReadonlySet<DrillName> = new Set([
    ...runs.flatMap(({ drill }) => (drill === "all" ? [] : [drill])),
    ...(done ? drillNames.filter((drill) => !done.has(drill)) : []),
  ]);
  return {
    read,
    card,
    underWay,
    /** How many drills of a whole run have their result; null when none is under way. */
    progress: done && { done: done.size, of: drillNames.length },
    error: mutation.variables?.stop.signal.aborted ? null : mutation.error,
    /** Ends a whole run: what is under way is given up. */
    stop: () => whole?.stop.abort(),
    run: (drill: DrillName | "all", deliveryId: string) => {
      const runsAlready = drill === "all" ? whole !== undefined : underWay.has(drill);
      if (!runsAlready) mutation.mutate({ drill, deliveryId, before: resultIdsOf(card), stop: new AbortController() });
    },
  };
};

export type Drilling = ReturnType<typeof useDrills>;
