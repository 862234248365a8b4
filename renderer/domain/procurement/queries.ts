import { queryOptions } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { itemsQuery } from "../../lib/control-query.ts";
import { isId } from "../../lib/search-params.ts";
import { callControl } from "../../lib/service-client.ts";

/** An order's row in lists, with the names of both sides; null when the world has no such order. */
export const procurementRowQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).procurements("row", id),
    queryFn: async ({ signal }): Promise<ProcurementRow | null> =>
      isId(id) ? ((await callControl("procurements.list", { world, ids: [id] }, { signal })).items[0] ?? null) : null,
  });

/** A job's orders, also those without a key in the sandbox. */
export const jobProcurementsQuery = (world: string, jobId: string) =>
  itemsQuery(worldKeys(world).ofJob(jobId, "procurements"), "procurements.list", { world, job_id: jobId, limit: 500 });
