import { queryOptions } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { itemsQuery } from "../../lib/control-query.ts";
import { isId } from "../../lib/search-params.ts";
import { callControl } from "../../lib/service-client.ts";

/** What the list knows of one procurement: who its two sides are; null when the world has none with this id. */
export const procurementRowQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).procurements("row", id),
    queryFn: async ({ signal }): Promise<ProcurementRow | null> =>
      isId(id) ? ((await callControl("procurements.list", { world, ids: [id] }, { signal })).items[0] ?? null) : null,
  });

/** The procurements of a job, whoever's keys the sandbox holds. */
export const procurementsOfJobQuery = (world: string, jobId: string) =>
  itemsQuery(worldKeys(world).ofJob(jobId, "procurements"), "procurements.list", { world, job_id: jobId, limit: 500 });
