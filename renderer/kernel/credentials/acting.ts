import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Credential, Side } from "../../../sandbox/contract/control/rows.ts";
import { credentialsQuery } from "../queries/world-queries.ts";
import { chosenCredential, useUi } from "../stores/ui-store.ts";
import { useWorld } from "../world/world.ts";

/** A credential with its key, so that calls can use it. */
export type KeyedCredential = Credential & { readonly api_key: string };

const isKeyed = (credential: Credential): credential is KeyedCredential => credential.api_key !== undefined;

/** The world's credentials with their keys, newest first. */
export const useCredentials = (): UseQueryResult<Credential[]> => useQuery(credentialsQuery(useWorld()));

/**
 * Picks the credential for a side's calls: the one chosen or installed in this browser, if it belongs to the right
 * organization; else the pre-loaded one; else the newest. `organizationId` is the owner of the data; null allows any
 * organization. `credentials` must be newest first, as the service lists them: their timestamps are unreliable once a
 * world's clock was moved back.
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

/** The credential of this window as the repairer or the supplier, for data of `organizationId` (any when left out). */
export const useActAs = (side: Side, organizationId: string | null = null) => {
  const { data: credentials = [], isLoading } = useCredentials();
  const world = useWorld();
  const chosen = useUi((state) => chosenCredential(state, world, side));
  const chooseActAs = useUi((state) => state.chooseActAs);
  return {
    /** Null while loading, or when the sandbox holds no key of that side and organization. */
    credential: pickCredential(credentials, side, organizationId, chosen),
    /** Every usable credential of the side, of any organization. */
    candidates: credentials.filter(isKeyed).filter((credential) => credential.scope === side),
    isLoading,
    /** Remembers a choice; null returns to the rule. */
    choose: (integrationId: string | null) => chooseActAs(world, side, integrationId),
  };
};

/** The integration that this window calls as: the buyer's, else the supplier's; null without a key for either. */
export const useActing = (): string | null => {
  const buyer = useActAs("repairer").credential;
  const supplier = useActAs("supplier").credential;
  return (buyer ?? supplier)?.integration_id ?? null;
};
