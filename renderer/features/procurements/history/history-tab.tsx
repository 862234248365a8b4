import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProcurementRow, RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../../app/world.ts";
import { SwitchField } from "../../../components/choices.tsx";
import { Read } from "../../../components/read.tsx";
import { Toolbar } from "../../../components/section.tsx";
import { plural } from "../../../lib/formatting.ts";
import type { TwoSides } from "../detail/two-sides.ts";
import { useProcurementsUi } from "../procurements-store.ts";
import { movesQuery, touchingQuery } from "../queries.ts";
import { CallEntry, UnrecordedEntry } from "./call-entry.tsx";
import { historyOf, withMoves } from "./entries.ts";
import { lastMove } from "./last-transition.ts";

/** Who a call's key belongs to, as far as it is one of the two sides. */
const callerIn =
  ({ buyer, supplier }: TwoSides) =>
  ({ integration_id }: RequestRow): string | null =>
    [buyer, supplier].find(({ keys }) => keys.some((key) => key.integration_id === integration_id))?.organization ??
    null;

/** Every state it was in and every kept call that touched it; each call opens into its chain. */
export const HistoryTab = ({ row, sides }: { row: ProcurementRow; sides: TwoSides }) => {
  const { reads, toggleReads } = useProcurementsUi();
  const world = useWorld();
  const moves = useQuery(movesQuery(world, row.id));
  const all = useQuery({ ...touchingQuery(world, row.id), enabled: reads });
  const [chosen, setChosen] = useState<string | null>();
  return (
    <Read of={moves} what="its history">
      {(data) => {
        const entries = historyOf(row, reads && all.data ? withMoves(all.data, data.items) : data.items);
        // Until someone chooses, the newest call that moved it is open.
        const open = chosen === undefined ? (lastMove(data.items)?.id ?? null) : chosen;
        const callerOf = callerIn(sides);
        return (
          <>
            <Toolbar label="History">
              <span className="t12 t2 grow">
                {plural(data.items.length, "writing call")} and {plural(data.others, "other")} on record
              </span>
              <SwitchField label="Show reads" checked={reads} onChange={toggleReads} />
            </Toolbar>
            <div className="scroll procurements-scroll">
              <ol className="procurements-history" aria-label="History, newest first">
                {entries.map((entry) =>
                  entry.kind === "unrecorded" ? (
                    <UnrecordedEntry key={entry.to} {...entry} />
                  ) : (
                    <CallEntry
                      key={entry.request.id}
                      {...entry}
                      caller={callerOf(entry.request)}
                      open={entry.request.id === open}
                      onToggle={() => setChosen(entry.request.id === open ? null : entry.request.id)}
                    />
                  ),
                )}
              </ol>
            </div>
          </>
        );
      }}
    </Read>
  );
};
