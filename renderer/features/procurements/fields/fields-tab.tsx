import { useMemo, useState } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import type { SourceItem } from "../../../../sandbox/contract/resources/procurement.ts";
import { toneOf } from "../../../components/state.tsx";
import { useNow } from "../../../lib/world-clock.ts";
import type { TwoSides } from "../detail/two-sides.ts";
import type { Transition } from "../history/last-transition.ts";
import { predictConfirm } from "../next/predictions.ts";
import { useProcurementsUi } from "../procurements-store.ts";
import type { Address } from "../use-address.ts";
import { compareViews } from "./field-rows.ts";
import { FieldsTable } from "./fields-table.tsx";
import { TransitionNote } from "./transition-note.tsx";

const MINUTE = 60_000;

interface Props {
  readonly row: ProcurementRow;
  readonly sides: TwoSides;
  readonly transition: Transition | null;
  readonly address: Address;
}

const sourceNames = (items: readonly SourceItem[]) =>
  new Map(items.map((item) => [item.id, item.buyer_part.description]));

/** The two views field by field, with what the last transition changed and what confirming will. */
export const FieldsTab = ({ row, sides, transition, address }: Props) => {
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
      {transition && <TransitionNote row={row} transition={transition} address={address} />}
      <FieldsTable
        rows={rows}
        sides={sides}
        context={context}
        predictions={predictions}
        changes={marks && transition ? transition.changes : []}
        tone={toneOf(row.status)}
        open={open}
        onOpen={setOpen}
      />
    </>
  );
};
