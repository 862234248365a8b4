import type { EventRow, StateChange } from "../../../sandbox/contract/control/rows.ts";

/** A change in a person's words; the parts of a job name themselves so. */
export const changeTitle = ({ entity, label, change }: StateChange): string => {
  const thing = entity === "procurement" ? "order" : entity;
  return `${thing === "parts" ? label : `${thing} ${label}`} ${change}`;
};

/** Why these made no event: an order may come into a state that events have no status for (D74). */
export const noEvent = (changes: readonly StateChange[]) =>
  changes.some(({ entity }) => entity === "procurement")
    ? ({ sentence: "No events. Events have no status for this change.", assumption: "D74" } as const)
    : ({ sentence: "No events.", assumption: null } as const);

/** Why an event has no delivery on record: how many were made of it, the event itself says. @param world where it happened */
export const undelivered = ({ deliveries }: Pick<EventRow, "deliveries">, world: string): string => {
  if (deliveries === 0)
    return `Not delivered, because this side had no subscription in this world (${world}) at the time. Subscriptions in other worlds don’t receive it.`;
  return deliveries === 1
    ? "Its delivery was deleted by retention."
    : `Its ${deliveries} deliveries were deleted by retention.`;
};
