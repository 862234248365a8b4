import { useQuery } from "@tanstack/react-query";
import type { Credential, ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { sideWord } from "../../components/side.tsx";
import { useActAs } from "../../kernel/world/acting.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { directoryQuery } from "../directory/directory.ts";

/**
 * Tells whether the sandbox holds a key of a procurement's supplier. A row says how that was when it was read; keys
 * come and go without a change of any procurement.
 */
export const useHasKey = (): ((row: Pick<ProcurementRow, "supplier">) => boolean) => {
  const { candidates, isLoading } = useActAs("supplier");
  return ({ supplier }) =>
    isLoading
      ? supplier.has_credential
      : candidates.some(({ organization_id }) => organization_id === supplier.organization_id);
};

/**
 * The supplier businesses whose orders can be confirmed here: those of an organization of which the sandbox holds a key;
 * null until it is known.
 */
export const useConfirmable = (): ReadonlySet<string> | null => {
  const { candidates, isLoading } = useActAs("supplier");
  const { data } = useQuery(directoryQuery(useWorld()));
  if (isLoading || data === undefined) return null;
  const keyed = new Set(candidates.map(({ organization_id }) => organization_id));
  return new Set(data.filter(({ organization_id }) => keyed.has(organization_id)).map(({ id }) => id));
};

/** Credentials to choose from, each with its organization, its side and the end of its key. */
export const credentialOptions = (credentials: readonly Credential[]) =>
  credentials.map(({ integration_id, organization_name, scope, key_hint }) => ({
    value: integration_id,
    label: `${organization_name}, ${sideWord(scope).toLowerCase()}, ${key_hint.replace(/•+/, "…")}`,
  }));
