import { type ProcurementStatus, procurementStatuses } from "../../../sandbox/contract/resources/procurement.ts";
import { Icon } from "../../components/icon.tsx";
import { iconOf, toneOf } from "../../components/state.tsx";
import { Segmented } from "../../components/tabs.tsx";
import { formatCount } from "../../lib/formatting.ts";
import type { StateFilter } from "./procurements-store.ts";

interface Props {
  readonly value: StateFilter;
  readonly counts: Record<ProcurementStatus, number> | null;
  readonly onChange: (state: StateFilter) => void;
}

const words = { order_requested: "requested", order_confirmed: "confirmed", cancelled: "cancelled" } as const;

/** All states, or one; each with its count. */
export const StateFilterChoice = ({ value, counts, onChange }: Props) => (
  <div className="procurements-filter">
    <Segmented
      label="State"
      value={value ?? "all"}
      onChange={(next) => onChange(procurementStatuses.find((status) => status === next) ?? null)}
      options={[
        { value: "all", label: "All" },
        ...procurementStatuses.map((status) => ({
          value: status,
          label: (
            <span className={`row row-1 ${toneOf(status)}`} title={status}>
              <Icon of={iconOf(status)} size={14} />
              <span className="sr">{words[status]} </span>
              <span className="n">{counts ? formatCount(counts[status]) : "…"}</span>
            </span>
          ),
        })),
      ]}
    />
  </div>
);
