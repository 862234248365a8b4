import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { JobRow } from "../../../sandbox/contract/control/rows.ts";
import { useOrganizationName } from "../../domain/directory/directory.ts";
import { jobRowQuery } from "../../domain/job/queries.ts";
import { hrefs, type InstallParams } from "../../kernel/addresses/hrefs.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { type KeyedCredential, useActAs } from "../../kernel/world/acting.ts";
import { useWorld } from "../../kernel/world/world.ts";

/** A job in sight: its row, and the key its repairer's calls are made with. */
export interface JobInSight {
  readonly row: JobRow;
  /** Null when the sandbox holds no key of the job's repairer: then only the row is known. */
  readonly credential: KeyedCredential | null;
  /** False until it is certain which key there is. */
  readonly knowsKey: boolean;
}

interface Pages {
  readonly pages?: ReadonlyArray<{ readonly items: readonly JobRow[] }>;
}

/** The row of a job; until it is read, the list's copy of it. Null when the world has no such job. */
export const useJobRow = (id: string) => {
  const world = useWorld();
  const client = useQueryClient();
  const inLists = () =>
    client
      .getQueriesData<Pages>({ queryKey: worldKeys(world).jobs("list") })
      .flatMap(([, data]) => data?.pages ?? [])
      .flatMap(({ items }) => items)
      .find((row) => row.id === id);
  return useQuery({ ...jobRowQuery(world, id), placeholderData: (previous) => previous ?? inLists() });
};

export const useJobInSight = (row: JobRow): JobInSight => {
  const { credential, isLoading } = useActAs("repairer", row.organization_id);
  return { row, credential, knowsKey: !isLoading };
};

/** The install flow for a key that a job lacks; it knows the way back to the job. */
export const installHref = (wanted: Partial<InstallParams>, row: JobRow, tab?: string): string =>
  hrefs.install({ ...wanted, back: hrefs.job(row.id, tab), back_label: row.job_number ?? "the job" });

/** The repairer's name, as far as the world knows it. */
export const useRepairerName = (row: JobRow): string => useOrganizationName(row.organization_id, row.site.name);
