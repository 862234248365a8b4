import { procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { Icon } from "../../../components/icon.tsx";
import { iconOf, toneOf } from "../../../components/state.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { statusWords } from "../../../domain/procurement/words.ts";
import { formatTotal } from "../../../lib/formatting.ts";
import { useAddress } from "../address.ts";
import styles from "./list.module.css";
import type { Counts } from "./use-lists.ts";

interface Props {
  /** Undefined until they are known. */
  readonly counts: Counts | undefined;
  /** Whether the states' words stand in place of the counts: the board's columns have those. */
  readonly wide?: boolean;
}

/** All states, or one; each with its count. */
export const StateFilter = ({ counts, wide = false }: Props) => {
  const { filter, narrow } = useAddress();
  return (
    <div className={`${styles.filter}${wide ? ` ${styles.wide}` : ""}`}>
      <Segmented
        label="State"
        value={filter.status ?? "all"}
        onChange={(next) => narrow({ status: procurementStatuses.find((status) => status === next) ?? null })}
        options={[
          { value: "all", label: "All" },
          ...procurementStatuses.map((status) => ({
            value: status,
            label: (
              <span className={`row row-1 ${toneOf(status)}`} title={status}>
                <Icon of={iconOf(status)} size={14} />
                <span className={wide ? undefined : "sr"}>{statusWords[status]} </span>
                {!wide && <span className="n">{counts ? formatTotal(counts[status]) : ""}</span>}
              </span>
            ),
          })),
        ]}
      />
    </div>
  );
};
