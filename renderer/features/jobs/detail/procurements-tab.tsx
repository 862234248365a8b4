import { IconArrowsExchange } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { type KeyedCredential, useActAs } from "../../../app/acting.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { knownProcurementsQuery, orderedQuery, useConfirmable } from "../queries.ts";
import { addPartsHref } from "./addresses.ts";
import { useRepairerName } from "./no-key.tsx";
import { lineOf, type ProcurementLine, ProcurementLines } from "./procurement-lines.tsx";
import type { JobInSight } from "./use-job.ts";

const NoneYet = ({ row }: { row: JobRow }) => (
  <NothingYet
    icon={IconArrowsExchange}
    title="Nothing ordered yet"
    actions={
      row.parts === 0 ? (
        <LinkButton small href={addPartsHref(row.id)}>
          Add parts
        </LinkButton>
      ) : (
        <LinkButton small href={hrefs.job(row.id, "basket")}>
          Open the basket
        </LinkButton>
      )
    }
  >
    {row.parts === 0
      ? "Suppliers offer what a job has parts for. Add parts, choose among the offers, and place."
      : "Choose offers in the basket and place them: each supplier gets one procurement."}
  </NothingYet>
);

const Asked = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const query = useQuery(orderedQuery(useWorld(), row.id, credential));
  const confirmable = useConfirmable();
  return (
    <Read of={query} what="the procurements">
      {(data) => {
        if (data.items.length === 0) return <NoneYet row={row} />;
        return (
          <>
            <ProcurementLines lines={data.items.map((one) => lineOf(one, confirmable))} />
            <div className="jobs-pad jobs-remarks">
              <Note>
                Newest first <Origin of="assumption" id="D54" tight />, as repairer.procurements.list answers{" "}
                <Origin of="contract" />. The trade price is summed here; shipping is not in it.
              </Note>
            </div>
          </>
        );
      }}
    </Read>
  );
};

/** Without the repairer's key the contract answers nothing, but the sandbox itself knows what there is. */
const Known = ({ row }: { row: JobRow }) => {
  const query = useQuery(knownProcurementsQuery(useWorld(), row.id, true));
  const name = useRepairerName(row);
  // The list says which suppliers had a key when it was read; one can be installed since.
  const keyed = new Set(useActAs("supplier").candidates.map(({ organization_id }) => organization_id));
  return (
    <Read of={query} what="the procurements">
      {(data) => {
        if (data.length === 0)
          return (
            <NothingYet icon={IconArrowsExchange} title="Nothing ordered">
              {name} has not placed an order for this job.
            </NothingYet>
          );
        const lines = data.map(
          (one): ProcurementLine => ({
            id: one.id,
            reference: one.reference,
            status: one.status,
            supplier: one.supplier.name,
            confirmable: one.status === "order_requested" ? keyed.has(one.supplier.organization_id) : null,
            items: one.items,
            total: one.total,
            currency: one.currency_code,
            deliverBefore: undefined,
            createdAt: one.created_at,
          }),
        );
        return (
          <>
            <ProcurementLines lines={lines} />
            <div className="jobs-pad jobs-remarks">
              <Note>
                From the sandbox’s own list: {name} has no key here, so repairer.procurements.list cannot be asked.
                Delivery dates are not in that list.
              </Note>
            </div>
          </>
        );
      }}
    </Read>
  );
};

/** What was ordered for a job. */
export const ProcurementsTab = ({ job: { row, credential } }: { job: JobInSight }) => (
  <div className="scroll jobs-panel jobs-procurements">
    {credential ? <Asked row={row} credential={credential} /> : <Known row={row} />}
  </div>
);
