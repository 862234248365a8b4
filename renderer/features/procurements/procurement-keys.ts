import { worldKeys } from "../../app/query-keys.ts";
import type { ProcurementFilter } from "./address.ts";

/** Every key of this place. Their third element says which happenings of the live feed make them stale. */
export const procurementKeys = (world: string) => {
  const keys = worldKeys(world);
  return {
    /** Everything that is listed or counted. */
    all: () => keys.procurements(),
    counts: (filter: ProcurementFilter) => keys.procurements("counts", filter),
    pages: (filter: ProcurementFilter) => keys.procurements("list", filter),
    row: (id: string) => keys.procurements("row", id),
    requested: () => keys.procurements("requested"),
    moves: (id: string) => keys.requests("procurement", id, "moves"),
    touching: (id: string) => keys.requests("procurement", id, "all"),
    directory: () => keys.organizations("directory"),
    /**
     * What either side's operation answers of one procurement. Not under `partner`, which any change of any job makes
     * stale: `useLiveViews` makes stale what is of the one that changed.
     */
    views: (id?: string) => [...keys.all, "of-procurement", ...(id === undefined ? [] : [id])] as const,
    view: (operation: string, id: string, integrationId: string | null) =>
      [...keys.all, "of-procurement", id, operation, integrationId] as const,
  };
};
