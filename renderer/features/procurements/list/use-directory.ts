import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { DirectoryBusiness } from "../../../../sandbox/contract/control/operations.ts";
import { useWorld } from "../../../app/world.ts";
import { directoryQuery } from "../list-queries.ts";
import type { Names } from "./none-words.ts";

export interface Directory {
  readonly sites: readonly DirectoryBusiness[];
  readonly suppliers: readonly DirectoryBusiness[];
  readonly names: Names;
}

const none: readonly DirectoryBusiness[] = [];

/** The sites and suppliers of the world, in the order of their names. */
export const useDirectory = (): Directory => {
  const businesses = useQuery(directoryQuery(useWorld())).data ?? none;
  return useMemo(() => {
    const of = (type: DirectoryBusiness["type"]) =>
      businesses.filter((one) => one.type === type).toSorted((a, b) => a.name.localeCompare(b.name));
    return {
      sites: of("repairer_site"),
      suppliers: of("supplier"),
      names: new Map(businesses.map(({ id, name }) => [id, name])),
    };
  }, [businesses]);
};
