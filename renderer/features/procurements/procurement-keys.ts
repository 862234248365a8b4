import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../app/query-keys.ts";
import type { ProcurementFilter } from "./address.ts";

/** Every key of this place. Their third element says which happenings of the live feed make them stale. */
export const procurementKeys = (world: string) => {
  const keys = worldKeys(world);
  return {
    /** Everything that is listed or counted. */
    all: () => keys.procurements(),
    list: (filter: ProcurementFilter) => keys.procurements("list", filter),
    row: (id: string) => keys.procurements("row", id),
    confirmable: () => keys.procurements("confirmable"),
    preview: ({ id, job_id }: Pick<ProcurementRow, "id" | "job_id">) => keys.ofJob(job_id, "preview", id),
    moves: (id: string) => keys.requests("procurement", id, "moves"),
    touching: (id: string) => keys.requests("procurement", id, "all"),
    /** What either side's operation answers of one procurement, which changes with its job alone. */
    view: (operation: string, { id, job_id }: Pick<ProcurementRow, "id" | "job_id">, integrationId: string | null) =>
      keys.ofJob(job_id, "procurement", id, operation, integrationId),
  };
};
