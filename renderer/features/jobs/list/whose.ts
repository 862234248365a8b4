import { useQuery } from "@tanstack/react-query";
import { useActAs } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { organizationsQuery } from "../../../app/world-queries.ts";
import { directoryQuery } from "../../../domain/directory/directory.ts";
import type { JobFilter } from "../address.ts";

/** Whose jobs are listed, and whose key new ones are inserted with. */
export interface Whose {
  /** "all organizations of this world", or "Harbour Collision Repairs" where a site of it is all that is listed. */
  readonly jobs: string;
  /** The organization this window acts as; null when the sandbox holds no repairer's key. */
  readonly acting: { readonly id: string; readonly name: string } | null;
}

const EVERYBODY = "all organizations of this world";

export const useWhose = ({ site }: JobFilter): Whose => {
  const world = useWorld();
  const { credential } = useActAs("repairer");
  const owner = useQuery(directoryQuery(world)).data?.find(({ id }) => id === site)?.organization_id;
  const name = useQuery(organizationsQuery(world)).data?.find(({ id }) => id === owner)?.name;
  return {
    jobs: site === null ? EVERYBODY : (name ?? "one site"),
    acting: credential && { id: credential.organization_id, name: credential.organization_name },
  };
};
