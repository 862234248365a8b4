import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Credential, Side } from "../../../sandbox/contract/control/rows.ts";
import { credentialsQuery } from "../queries/world-queries.ts";
import { chosenIn, useUi } from "../stores/ui-store.ts";
import { useWorld } from "../world/world.ts";

/** A credential whose key is known, so that calls can be made with it. */
export type KeyedCredential = Credential & { readonly api_key: string };

const isKeyed = (credential: Credential): credential is KeyedCredential => credential.api_key !== undefined;

/** The world's credentials with their keys, newest first. */
export const useCredentials = (): UseQueryResult<Credential[]> => useQuery(credentialsQuery(useWorld()));

/**
 * Whose key a side's calls are made with: the one the person chose or installed here, if it can reach the thing; else
 * the pre-loaded one; else the newest that somebody else installed. `organizationId` is the thing's owner; null means any
 * organization will do. `credentials` come newest first, as the service lists them: the times on a world's clock that was
 * moved and put back do not tell.
 */
export const pickCredential = (
  credentials: readonly Credential[],
  side: Side,
  organizationId: string | null,
  chosen: string | undefined,
): KeyedCredential | null => {
  const usable = credentials.filter(isKeyed).filter((credential) => credential.scope === side);
  const owning = usable.filter(
    (credential) => organizationId === null || credential.organization_id === organizationId,
  );
  return (
    owning.find((credential) => credential.integration_id === chosen) ??
    owning.find((credential) => credential.preloaded) ??
    owning[0] ??
    null
  );
};

/** The credential this window acts with as the repairer or as the supplier, for things of `organizationId` (any when left out). */
export const useActAs = (side: Side, organizationId: string | null = null) => {
  const { data: credentials = [], isLoading } = useCredentials();
  const world = useWorld();
  const chosen = useUi((state) => chosenIn(state, world, side));
  const chooseActAs = useUi((state) => state.chooseActAs);
  return {
    /** Null while loading, or when the sandbox holds no key of that side and organization. */
    credential: pickCredential(credentials, side, organizationId, chosen),
    /** Every usable credential of the side, whichever organization's. */
    candidates: credentials.filter(isKeyed).filter((credential) => credential.scope === side),
    isLoading,
    /** Remembers another choice; null goes back to the rule. */
    choose: (integrationId: string | null) => chooseActAs(world, side, integrationId),
  };
};

/** The integration this window calls as: the buyer's, else the supplier's; null where it holds no key of either. */
export const useActing = (): string | null => {
  const buyer = useActAs("repairer").credential;
  const supplier = useActAs("supplier").credential;
  return (buyer ?? supplier)?.integration_id ?? null;
};
