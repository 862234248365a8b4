import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { DirectoryBusiness } from "../../../sandbox/contract/control/operations.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { organizationsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { itemsQuery } from "../../lib/control-query.ts";

/** Names of businesses and of insurers' organizations, by ID. */
export type Names = ReadonlyMap<string, string>;

export const directoryQuery = (world: string) =>
  itemsQuery(worldKeys(world).organizations("directory"), "directory.list", { world });

/**
 * The world's sites, suppliers and insurers by name, for filters. An insurer's ID is its organization's, as in a job.
 */
export const useDirectory = () => {
  const businesses = useQuery(directoryQuery(useWorld())).data;
  return useMemo(() => {
    const of = (type: DirectoryBusiness["type"]) =>
      (businesses ?? []).filter((one) => one.type === type).toSorted((a, b) => a.name.localeCompare(b.name));
    const insurers = of("insurer").map(({ organization_id, name }) => ({ id: organization_id, name }));
    const names: Names = new Map([...(businesses ?? []), ...insurers].map(({ id, name }) => [id, name]));
    return { sites: of("repairer_site"), suppliers: of("supplier"), insurers, names };
  }, [businesses]);
};

/** An organization's name in the world; `known` while loading or when missing. */
export const useOrganizationName = (id: string, known: string): string =>
  useQuery(organizationsQuery(useWorld())).data?.find((one) => one.id === id)?.name ?? known;
