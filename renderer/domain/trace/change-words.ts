import type { StateChange } from "../../../sandbox/contract/control/rows.ts";

/** A change in a person's words; the parts of a job name themselves so. */
export const changeTitle = ({ entity, label, change }: StateChange): string => {
  const thing = entity === "procurement" ? "order" : entity;
  return `${thing === "parts" ? label : `${thing} ${label}`} ${change}`;
};

/** Why these made no event: an order may come into a state that events have no status for (D74). */
export const noEvent = (changes: readonly StateChange[]) =>
  changes.some(({ entity }) => entity === "procurement")
    ? ({ sentence: "Nobody was told: events have no status for this change.", assumption: "D74" } as const)
    : ({ sentence: "No event, so nobody was told.", assumption: null } as const);
