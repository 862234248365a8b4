import { Box, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ProcurementRow, Side } from "../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../components/button.tsx";
import { Failing } from "../../components/failing.tsx";
import { Skeletons } from "../../components/read.tsx";
import { NoKey } from "../../domain/credential/no-key.tsx";
import { useOrganizationName } from "../../domain/directory/directory.ts";
import { orderName } from "../../domain/procurement/words.ts";
import { hrefs, type InstallParams } from "../../kernel/addresses/hrefs.ts";
import { useActAs } from "../../kernel/credentials/acting.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { viewQuery } from "./queries.ts";

/** Reads one side's view of the order with its organization's key. */
const useSide = (side: Side, row: ProcurementRow, party: ProcurementRow["buyer"]) => {
  const acting = useActAs(side, party.organization_id);
  const view = useQuery(viewQuery(useWorld(), side, row, acting.credential));
  return {
    side,
    operation: `${side}.procurements.get`,
    /** The order. */
    about: row,
    organizationId: party.organization_id,
    /** The business that takes part, for example a buyer's site. */
    name: party.name,
    /** The organization whose keys may read it. */
    organization: useOrganizationName(party.organization_id, party.name),
    /** The key for its calls; null without one. */
    credential: acting.credential,
    view: view.data ?? null,
    error: view.data === undefined ? view.error : null,
    /** True if neither a response nor a reason for its absence is known. */
    isLoading: acting.isLoading || (acting.credential !== null && view.isPending),
    retry: () => void view.refetch(),
  };
};

/** One side of an order: its business, its key in the sandbox, and its view. */
export type SideView = ReturnType<typeof useSide>;

export const useTwoSides = (row: ProcurementRow) => ({
  buyer: useSide("repairer", row, row.buyer),
  supplier: useSide("supplier", row, row.supplier),
});

export type TwoSides = ReturnType<typeof useTwoSides>;

/** Address of the install flow for a missing key, with a return link to the order. */
export const orderInstallHref = (
  wanted: Partial<InstallParams>,
  about: Pick<ProcurementRow, "id" | "reference">,
): string => hrefs.install({ ...wanted, back: hrefs.procurement(about.id), back_label: orderName(about) });

const installFor = ({ side, organizationId, about }: SideView): string =>
  orderInstallHref({ organization: organizationId, scope: side }, about);

/** Links to the install flow, which gets a key of any organization. */
export const InstallFor = ({ of: seen }: { of: SideView }) => (
  <Group wrap="wrap">
    <LinkButton small href={installFor(seen)}>
      Install an integration
    </LinkButton>
  </Group>
);

/** Explains a missing view: loading, no key, or refused. */
export const MissingView = ({ of: seen }: { of: SideView }) => {
  const what = `${seen.name}’s view`;
  if (seen.isLoading) return <Skeletons what={what} rows={5} />;
  return (
    <Box maw="44ch">
      {seen.error ? (
        <Failing what={what} error={seen.error} onRetry={seen.retry} />
      ) : (
        <NoKey
          organization={seen.organization}
          side={seen.side}
          operation={seen.operation}
          shows={`what ${seen.name} sees`}
          install={installFor(seen)}
        />
      )}
    </Box>
  );
};
