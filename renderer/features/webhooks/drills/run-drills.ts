import { queryOptions, useMutation, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Scorecard } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { type DrillName, drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { announce } from "../../../lib/announce.ts";
import { controlQuery } from "../../../lib/control-query.ts";
import { callControl } from "../../../lib/service-client.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useEnded, useSends } from "../queries.ts";
import { doneSince, judged, type ResultIds, resultIdsOf, scoreWords } from "./score.ts";

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
  const read = useQuery({ ...scorecardQuery(world, subscriptionId), select: (card) => card && judged(card) });
  const card = read.data ?? undefined;
  const sends = useSends();
  const isEnded = useEnded(subscriptionId) || read.data === null;
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
    /** Why no drill can be run although there is a delivery to make it from; null when one can. */
    why: !sends
      ? "Deliveries are off: start the service with --deliveries on for drills."
      : isEnded
        ? "Its subscription has ended. Subscribe the address again; drills are made from what it is sent then."
        : null,
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
