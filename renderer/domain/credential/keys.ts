import { useQuery } from "@tanstack/react-query";
import type { Credential, ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { sideWord } from "../../components/side.tsx";
import { useActAs } from "../../kernel/credentials/acting.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { directoryQuery } from "../directory/directory.ts";

/**
 * Returns whether the sandbox has a key of an order's supplier. Uses the current credentials, because a key comes and
 * goes without changing the order.
 */
export const useHasKey = (): ((row: Pick<ProcurementRow, "supplier">) => boolean) => {
  const { candidates, isLoading } = useActAs("supplier");
  return ({ supplier }) =>
    isLoading
      ? supplier.has_credential
      : candidates.some(({ organization_id }) => organization_id === supplier.organization_id);
};

/**
 * Supplier businesses whose orders can be confirmed here, because the sandbox has a key of their organization; null
 * while loading.
 */
export const useConfirmable = (): ReadonlySet<string> | null => {
  const { candidates, isLoading } = useActAs("supplier");
  const { data } = useQuery(directoryQuery(useWorld()));
  if (isLoading || data === undefined) return null;
  const keyed = new Set(candidates.map(({ organization_id }) => organization_id));
  return new Set(data.filter(({ organization_id }) => keyed.has(organization_id)).map(({ id }) => id));
};

/** Options of a credential select: organization, side and the end of the key. */
export const credentialOptions = (credentials: readonly Credential[]) =>
  credentials.map(({ integration_id, organization_name, scope, key_hint }) => ({
    value: integration_id,
    label: `${organization_name}, ${sideWord(scope).toLowerCase()}, ${key_hint.replace(/•+/, "…")}`,
  }));
