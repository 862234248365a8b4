import { IconListDetails } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProcurementRow, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../app/world.ts";
import { SwitchField } from "../../components/choices.tsx";
import { NothingYet } from "../../components/empty.tsx";
import { Failing } from "../../components/failing.tsx";
import { Loading } from "../../components/loading.tsx";
import { Toolbar } from "../../components/section.tsx";
import { plural } from "../../lib/formatting.ts";
import { useProcurementsUi } from "./procurements-store.ts";
import { movesQuery, touchingQuery } from "./queries.ts";
import { TraceEntry } from "./trace-entry.tsx";

/** The newest exchanges, with older moves that lie beyond them. */
const withMoves = (newest: readonly RequestRow[], moves: readonly RequestRow[]): readonly RequestRow[] => [
  ...newest,
  ...moves.filter((move) => !newest.some((row) => row.id === move.id)),
];

/** Every kept exchange that touched the procurement; each mutation opens into its chain. */
export const TraceTab = ({ row }: { row: ProcurementRow }) => {
  const { reads, toggleReads } = useProcurementsUi();
  const world = useWorld();
  const moves = useQuery(movesQuery(world, row.id));
  const all = useQuery({ ...touchingQuery(world, row.id), enabled: reads });
  const [chosen, setChosen] = useState<string | null>();
  const { data, error, refetch } = moves;
  if (!data)
    return error ? (
      <Failing what="Its exchanges" error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading what="its exchanges" />
    );
  const mutations = data.items;
  const shown = reads && all.data ? withMoves(all.data, mutations) : mutations;
  // Until someone chooses, the newest mutation is open.
  const open = chosen === undefined ? (mutations[0]?.id ?? null) : chosen;
  return (
    <>
      <Toolbar label="Exchanges">
        <span className="t12 t2 grow">
          {plural(mutations.length, "mutation")} and {plural(data.reads, "read")} on record
        </span>
        <SwitchField label="Show reads" checked={reads} onChange={toggleReads} />
      </Toolbar>
      <div className="scroll procurements-scroll">
        {shown.length === 0 ? (
          <NothingYet
            icon={IconListDetails}
            title={data.reads === 0 ? "No exchange touched it yet" : "Nothing has changed it yet"}
          >
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
