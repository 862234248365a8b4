import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useWorld } from "../../../app/world.ts";
import { directoryQuery } from "../queries.ts";
import type { Names } from "./words.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
}
export interface Directory {
  readonly sites: readonly Named[];
  /** By the organization's identifier, as a job names its work provider. */
  readonly insurers: readonly Named[];
  readonly names: Names;
}

/** The sites and insurers of the world, in the order of their names. */
export const useDirectory = (): Directory => {
  const businesses = useQuery(directoryQuery(useWorld())).data;
  return useMemo(() => {
    const named = (businesses ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
    const sites = named.filter(({ type }) => type === "repairer_site").map(({ id, name }) => ({ id, name }));
    const insurers = named
      .filter(({ type }) => type === "insurer")
      .map(({ organization_id, name }) => ({ id: organization_id, name }));
    return { sites, insurers, names: new Map([...sites, ...insurers].map(({ id, name }) => [id, name])) };
  }, [businesses]);
};
