import { queryOptions } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { differences } from "../../lib/diff.ts";
import { callControl } from "../../lib/service-client.ts";

/** Interval of reads in milliseconds, because the service derives a date from the world's clock. */
const PREVIEW_EVERY_MS = 60_000;

/** The service's prediction of a confirmation. */
export const previewQuery = (world: string, { id, job_id }: Pick<ProcurementRow, "id" | "job_id">) =>
  queryOptions({
    queryKey: worldKeys(world).ofJob(job_id, "preview", id),
    queryFn: async ({ signal }) => {
      const { before, after } = await callControl("procurements.preview", { id, world }, { signal });
      return after === null ? [] : differences(before, after);
    },
    refetchInterval: PREVIEW_EVERY_MS,
  });
