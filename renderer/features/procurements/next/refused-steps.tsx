import { IconHandStop, IconRepeat } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { useActAs } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { policiesQuery } from "../../../app/world-queries.ts";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import type { TwoSides } from "../detail/two-sides.ts";
import { triesFor } from "./tries.ts";
import { TryRow } from "./try-row.tsx";

interface Props {
  readonly row: ProcurementRow;
  readonly status: ProcurementStatus;
  readonly sides: TwoSides;
}

const AfterConfirmed = () => (
  <li className="procurements-try">
    <Icon of={IconHandStop} size={14} />
    <span>Anything after confirmed</span>
    <span className="t3">no operation</span>
    <p>
      later stages are outside the contract <Origin of="contract" />
    </p>
  </li>
);

/** What does not move it now: each a real call away from being seen. */
export const RefusedSteps = ({ row, status, sides: { buyer, supplier } }: Props) => {
  const query = useQuery(policiesQuery(useWorld()));
  const repairerKeys = useActAs("repairer").candidates;
  const supplierKeys = useActAs("supplier").candidates;
  return (
    <Read of={query} what="this world’s policies">
      {(policies) => {
        const steps = triesFor({
          status,
          policies,
          repairerKeys,
          supplierKeys,
          own: { repairer: buyer.credential, supplier: supplier.credential },
          buyerName: buyer.organization,
          supplierName: supplier.name,
          supplierOrganizationId: supplier.organizationId,
          buyerOrganizationId: buyer.organizationId,
        });
        const harmless = steps.filter((step) => step.expected.code === null);
        const refused = steps.filter((step) => step.expected.code !== null);
        return (
          <>
            {harmless.length > 0 && (
              <section className="procurements-tries" aria-label="Changes nothing">
                <div className="row procurements-tries-head">
                  <h3 className="w5">Changes nothing</h3>
                </div>
                <ul>
                  {harmless.map((step) => (
                    <TryRow key={`${status} ${step.id}`} about={row} step={step} icon={IconRepeat} />
                  ))}
                </ul>
              </section>
            )}
            <section className="procurements-tries" aria-label="Refused now">
              <div className="row procurements-tries-head">
                <h3 className="w5">Refused now</h3>
                <span className="t12 t3">each can be tried; nobody is told</span>
              </div>
              <ul>
                {refused.map((step) => (
                  <TryRow key={`${status} ${step.id}`} about={row} step={step} icon={IconHandStop} />
                ))}
                {status !== "cancelled" && <AfterConfirmed />}
              </ul>
            </section>
          </>
        );
      }}
    </Read>
  );
};
