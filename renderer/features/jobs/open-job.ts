import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { JobRow } from "../../../sandbox/contract/control/rows.ts";
import { useOrganizationName } from "../../domain/directory/directory.ts";
import { jobRowQuery } from "../../domain/job/queries.ts";
import { hrefs, type InstallParams } from "../../kernel/addresses/hrefs.ts";
import { type KeyedCredential, useActAs } from "../../kernel/credentials/acting.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { useWorld } from "../../kernel/world/world.ts";

/** The open job: its row, and the key for its buyer's calls. */
export interface OpenedJob {
  readonly row: JobRow;
  /** Null without a key of the job's buyer; then only the row is available. */
  readonly credential: KeyedCredential | null;
  /** False while keys are loading. */
  readonly knowsKey: boolean;
}

interface Pages {
  readonly pages?: ReadonlyArray<{ readonly items: readonly JobRow[] }>;
}

/** A job's row, initially the list's copy. Null when the world has no such job. */
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

export const useOpenedJob = (row: JobRow): OpenedJob => {
  const { credential, isLoading } = useActAs("repairer", row.organization_id);
  return { row, credential, knowsKey: !isLoading };
};

/** Address of the install flow for a missing key, with a return link to the job. */
export const jobInstallHref = (wanted: Partial<InstallParams>, row: JobRow, tab?: string): string =>
  hrefs.install({ ...wanted, back: hrefs.job(row.id, tab), back_label: row.job_number ?? "the job" });

/** The buyer's name, if known in this world. */
export const useRepairerName = (row: JobRow): string => useOrganizationName(row.organization_id, row.site.name);
