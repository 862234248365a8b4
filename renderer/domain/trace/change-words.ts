import type { StateChange } from "../../../sandbox/contract/control/rows.ts";

/** A change in a person's words; the parts of a job name themselves so. */
export const changeTitle = ({ entity, label, change }: StateChange): string =>
  `${entity === "parts" ? label : `${entity} ${label}`} ${change}`;
