import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { toneOf } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { plural } from "../../../lib/formatting.ts";
import type { Transition } from "../history/last-transition.ts";
import { useProcurementsUi } from "../procurements-store.ts";
import type { Address } from "../use-address.ts";

/** Says what the marks in the table are: which call changed how much, and when. */
export const TransitionNote = ({
  row,
  transition,
  address,
}: {
  row: ProcurementRow;
  transition: Transition;
  address: Address;
}) => {
  const { marks, toggleMarks } = useProcurementsUi();
  const { request, changes } = transition;
  return (
    <div className={`procurements-note t12 ${toneOf(row.status)}`}>
      <SideGlyph side={request.side} labelled />
      <span className="el grow">
        <b className="w5">{request.operation}</b> changed {plural(changes.length, "field")} <Time at={row.updated_at} />
      </span>
      <Button small look="quiet" onClick={toggleMarks}>
        {marks ? "Hide marks" : "Mark them"}
      </Button>
      <LinkButton small look="quiet" href={address.hrefOfTab(row.id, "json")}>
        As JSON diff
      </LinkButton>
    </div>
  );
};
