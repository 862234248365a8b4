import { useQuery } from "@tanstack/react-query";
import { IconListDetails } from "@tabler/icons-react";
import { useState } from "react";
import type { ProcurementRow, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { partnerOperations } from "../../../sandbox/contract/operations/partner.ts";
import { useWorld } from "../../app/world.ts";
import { SwitchField } from "../../components/choices.tsx";
import { NothingYet } from "../../components/empty.tsx";
import { Failing } from "../../components/failing.tsx";
import { Loading } from "../../components/loading.tsx";
import { Toolbar } from "../../components/section.tsx";
import { plural } from "../../lib/formatting.ts";
import { useProcurementsUi } from "./procurements-store.ts";
import { touchingQuery } from "./queries.ts";
import { TraceEntry } from "./trace-entry.tsx";

const writes = new Set<string>(partnerOperations.filter((operation) => operation.effect === "write").map((operation) => operation.id));
const isWrite = (row: RequestRow) => row.operation !== null && writes.has(row.operation);

/** Every kept exchange that touched the procurement; each mutation opens into its chain. */
export const TraceTab = ({ row }: { row: ProcurementRow }) => {
  const { reads, toggleReads } = useProcurementsUi();
  const touching = useQuery(touchingQuery(useWorld(), row.id));
  const [chosen, setChosen] = useState<string | null>();
  const { data, error, refetch } = touching;
  if (!data) return error ? <Failing what="Its exchanges" error={error} onRetry={() => void refetch()} /> : <Loading what="its exchanges" />;
  const mutations = data.filter(isWrite);
  const shown = reads ? data : mutations;
  // Until someone chooses, the newest mutation is open.
  const open = chosen === undefined ? (mutations[0]?.id ?? null) : chosen;
  return (
    <>
      <Toolbar label="Exchanges">
        <span className="t12 t2 grow">
          {plural(mutations.length, "mutation")} and {plural(data.length - mutations.length, "read")} on record
        </span>
        <SwitchField label="Show reads" checked={reads} onChange={toggleReads} />
      </Toolbar>
      <div className="scroll procurements-scroll">
        {shown.length === 0 ? (
          <NothingYet icon={IconListDetails} title={data.length === 0 ? "No exchange touched it yet" : "Nothing has changed it yet"}>
            {row.status === "order_requested"
              ? "It came with the world. Confirm it, at the right or from a partner’s program, and the whole chain shows here."
              : "It came with the world in this state, so no call of this world’s moved it."}
          </NothingYet>
        ) : (
          <ol className="procurements-trace" aria-label="Exchanges, newest first">
            {shown.map((request) => (
              <TraceEntry
                key={request.id}
                request={request}
                open={request.id === open}
                onToggle={() => setChosen(request.id === open ? null : request.id)}
              />
            ))}
          </ol>
        )}
      </div>
    </>
  );
};
