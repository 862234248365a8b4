import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ProcurementRow, Side } from "../../../sandbox/contract/control/rows.ts";
import type { BuyerProcurement, SupplierProcurement } from "../../../sandbox/contract/resources/procurement.ts";
import { type KeyedCredential, useActAs } from "../../app/acting.ts";
import { hrefs, type InstallParams } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { organizationsQuery } from "../../app/world-queries.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Refused } from "../../components/failing.tsx";
import { Loading } from "../../components/loading.tsx";
import { NoKey } from "../../domain/credential/no-key.tsx";
import { nameOf } from "../../domain/procurement/words.ts";
import shared from "./procurements.module.css";
import { buyerViewQuery, supplierViewQuery } from "./queries.ts";

/** One side of a procurement: who it is, whose key stands for it here, and what its operation answers. */
export interface SideSeen<V> {
  readonly side: Side;
  /** The procurement that is seen. */
  readonly about: Pick<ProcurementRow, "id" | "job_id" | "reference">;
  readonly organizationId: string;
  /** The business that takes part, a site of the buyer's for example. */
  readonly name: string;
  /** Whose keys reach it. */
  readonly organization: string;
  readonly operation: string;
  /** The key its calls are made with; null when the sandbox holds none of this organization. */
  readonly credential: KeyedCredential | null;
  /** Every key of this organization on this side. */
  readonly keys: readonly KeyedCredential[];
  readonly chooseKey: (integrationId: string) => void;
  readonly view: V | null;
  readonly error: Error | null;
  /** Neither an answer nor a reason for its absence yet. */
  readonly isLoading: boolean;
  readonly retry: () => void;
}

export interface TwoSides {
  readonly buyer: SideSeen<BuyerProcurement>;
  readonly supplier: SideSeen<SupplierProcurement>;
}

type Acting = ReturnType<typeof useActAs>;
type Who = Pick<SideSeen<unknown>, "side" | "about" | "organizationId" | "name" | "organization" | "operation">;

const seen = <V,>(who: Who, acting: Acting, answer: UseQueryResult<V>): SideSeen<V> => ({
  ...who,
  credential: acting.credential,
  keys: acting.candidates.filter((key) => key.organization_id === who.organizationId),
  chooseKey: acting.choose,
  view: answer.data ?? null,
  error: answer.data === undefined ? answer.error : null,
  isLoading: acting.isLoading || (acting.credential !== null && answer.isPending),
  retry: () => void answer.refetch(),
});

/** Asks both sides' operations for the procurement, each with its own organization's key. */
export const useTwoSides = (row: ProcurementRow): TwoSides => {
  const world = useWorld();
  const buys = useActAs("repairer", row.buyer.organization_id);
  const sells = useActAs("supplier", row.supplier.organization_id);
  const buyerView = useQuery(buyerViewQuery(world, row, buys.credential));
  const supplierView = useQuery(supplierViewQuery(world, row, sells.credential));
  const organizations = useQuery(organizationsQuery(world)).data ?? [];
  const who = (side: Side, party: ProcurementRow["buyer"], operation: string): Who => ({
    side,
    about: row,
    operation,
    name: party.name,
    organizationId: party.organization_id,
    organization: organizations.find(({ id }) => id === party.organization_id)?.name ?? party.name,
  });
  const buyer = who("repairer", row.buyer, "repairer.procurements.get");
  const supplier = who("supplier", row.supplier, "supplier.procurements.get");
  return { buyer: seen(buyer, buys, buyerView), supplier: seen(supplier, sells, supplierView) };
};

/** The install flow for a key that a procurement lacks; it knows the way back to the procurement. */
export const installHref = (wanted: Partial<InstallParams>, about: Pick<ProcurementRow, "id" | "reference">): string =>
  hrefs.install({ ...wanted, back: hrefs.procurement(about.id), back_label: nameOf(about) });

const installFor = ({ side, organizationId, about }: SideSeen<unknown>): string =>
  installHref({ organization: organizationId, scope: side }, about);

/** The way out: the install flow gives the sandbox a key of any organization. */
export const InstallFor = ({ of: seen }: { of: SideSeen<unknown> }) => (
  <LinkButton small href={installFor(seen)}>
    Install a key
  </LinkButton>
);

/** Why a side's view is not there: on its way, nobody here may ask, or the service said no. */
export const Unseen = ({ of: seen }: { of: SideSeen<unknown> }) => {
  if (seen.isLoading) return <Loading what={`${seen.name}’s view`} rows={5} />;
  if (seen.error === null)
    return (
      <div className={shared.unseen}>
        <NoKey
          organization={seen.organization}
          side={seen.side}
          operation={seen.operation}
          shows={`what ${seen.name} sees`}
          install={installFor(seen)}
        />
      </div>
    );
  return (
    <div className={shared.unseen}>
      <b className="w5">{seen.operation} did not answer</b>
      <Refused error={seen.error} />
      <p>
        <Button small onClick={seen.retry}>
          Ask again
        </Button>
      </p>
    </div>
  );
};
