import { useQuery } from "@tanstack/react-query";
import { useWorld } from "../../../app/world.ts";
import { subscriptionsQuery, useSends } from "../queries.ts";

/** Why no drill can be run on a subscription although there is a delivery to make it from; null when one can. */
export const useWhyNoDrill = (subscriptionId: string): string | null => {
  const sends = useSends();
  const { data: subscriptions } = useQuery(subscriptionsQuery(useWorld()));
  if (!sends) return "Deliveries are off: start the service with --deliveries on for drills.";
  if (subscriptions && !subscriptions.some(({ id }) => id === subscriptionId))
    return "Its subscription has ended. Subscribe the address again; drills are made from what it is sent then.";
  return null;
};
