import { useMemo, useState } from "react";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import type { SourceItem } from "../../../sandbox/contract/resources/procurement.ts";
import { useNow } from "../../lib/world-clock.ts";
import { compareViews } from "./field-rows.ts";
import { FieldsTable } from "./fields-table.tsx";
import type { Transition } from "./last-transition.ts";
import { predictConfirm } from "./predictions.ts";
import { useProcurementsUi } from "./procurements-store.ts";
import { TransitionNote } from "./transition-note.tsx";
import type { TwoSides } from "./two-sides.ts";

const MINUTE = 60_000;

interface Props {
  readonly row: ProcurementRow;
  readonly sides: TwoSides;
  readonly transition: Transition | null;
}

const sourceNames = (items: readonly SourceItem[]) =>
  new Map(items.map((item) => [item.id, item.buyer_part.description]));

/** The two views field by field, with what the last transition changed and what confirming will. */
export const FieldsTab = ({ row, sides, transition }: Props) => {
  const marks = useProcurementsUi((state) => state.marks);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const now = useNow("world", MINUTE);
  const { buyer, supplier } = sides;
  const rows = useMemo(() => compareViews(buyer.view, supplier.view), [buyer.view, supplier.view]);
  const view = supplier.view ?? buyer.view;
  const predictions = useMemo(() => (view ? predictConfirm(view, now) : []), [view, now]);
  const context = useMemo(
    () => ({
      jobNumber: row.job_number,
      currency: row.currency_code,
      sourceNames: sourceNames(view?.source_items ?? []),
    }),
    [row.job_number, row.currency_code, view],
  );
  return (
    <>
      {transition && <TransitionNote row={row} transition={transition} />}
      <FieldsTable
        rows={rows}
        sides={sides}
        context={context}
        predictions={predictions}
        changes={marks && transition ? transition.changes : []}
        open={open}
        onOpen={setOpen}
      />
    </>
  );
};
