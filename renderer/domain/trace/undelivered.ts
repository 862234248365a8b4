import type { EventRow } from "../../../sandbox/contract/control/rows.ts";

/** Why an event has no delivery on record: how many were made of it, the event itself says. @param world where it happened */
export const undelivered = ({ deliveries }: Pick<EventRow, "deliveries">, world: string): string => {
  if (deliveries === 0)
    return `Not delivered: this side had no subscription in this world (${world}) when it happened; one in another world does not receive it.`;
  return deliveries === 1
    ? "Its delivery is not kept any more."
    : `Its ${deliveries} deliveries are not kept any more.`;
};
