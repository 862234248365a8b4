import { queryOptions } from "@tanstack/react-query";
import type { JobRow } from "../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { isId } from "../../lib/search-params.ts";
import { callControl } from "../../lib/service-client.ts";

/** A job's row in lists, with names and state. Null when the world has no such job. */
export const jobRowQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).ofJob(id, "row"),
    queryFn: async ({ signal }): Promise<JobRow | null> =>
      isId(id) ? ((await callControl("jobs.list", { world, ids: [id] }, { signal })).items[0] ?? null) : null,
  });
