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
import { lastMove } from "./last-transition.ts";
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
  // Until someone chooses, the newest call that moved it is open.
  const first = lastMove(mutations) ?? mutations[0] ?? null;
  const open = chosen === undefined ? (first?.id ?? null) : chosen;
  return (
    <>
      <Toolbar label="Exchanges">
        <span className="t12 t2 grow">
          {plural(mutations.length, "writing call")} and {plural(data.reads, "read")} on record
        </span>
        <SwitchField label="Show reads" checked={reads} onChange={toggleReads} />
      </Toolbar>
      <div className="scroll procurements-scroll">
        {shown.length === 0 ? (
          <NothingYet icon={IconListDetails} title="No call on record has moved it">
            {row.status === "order_requested"
              ? "Confirm it, at the right or from a partner’s program, and the whole chain shows here: request, changes, events, deliveries."
              : "It came with the world in this state, or the log does not reach back that far."}
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
