import type { StateChange } from "../../../sandbox/contract/control/rows.ts";

/** What a change is of, in a person's words; the parts of a job name themselves so. */
export const titleOf = ({ entity, label }: StateChange): string => (entity === "parts" ? label : `${entity} ${label}`);

export const changeTitle = (change: StateChange): string => `${titleOf(change)} ${change.change}`;
