import type { EventRow, StateChange } from "../../../sandbox/contract/control/rows.ts";

/** A change's label; the parts of a job already describe themselves. */
export const changeTitle = ({ entity, label, change }: StateChange): string => {
  const thing = entity === "procurement" ? "order" : entity;
  return `${thing === "parts" ? label : `${thing} ${label}`} ${change}`;
};

/** Explains missing events: some states of an order have no event (D74). */
export const noEventReason = (changes: readonly StateChange[]) =>
  changes.some(({ entity }) => entity === "procurement")
    ? ({ sentence: "No events. Events have no status for this change.", assumption: "D74" } as const)
    : ({ sentence: "No events.", assumption: null } as const);

/** Explains an event without recorded deliveries, by the event's own count. @param world where it happened */
export const undeliveredReason = ({ deliveries }: Pick<EventRow, "deliveries">, world: string): string => {
  if (deliveries === 0)
    return `Not delivered, because this side had no subscription in this world (${world}) at the time. Subscriptions in other worlds don’t receive it.`;
  return deliveries === 1
    ? "Its delivery was deleted by retention."
    : `Its ${deliveries} deliveries were deleted by retention.`;
};
