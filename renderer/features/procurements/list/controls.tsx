import { Menu } from "@mantine/core";
import { procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { BackChip } from "../../../components/chip.tsx";
import { Icon } from "../../../components/icon.tsx";
import { FilterMenu, MenuChoice } from "../../../components/menu-choice.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { iconOf, toneOf } from "../../../components/state.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { useDirectory } from "../../../domain/directory/directory.ts";
import { statusWords } from "../../../domain/procurement/words.ts";
import { formatTotal } from "../../../lib/formatting.ts";
import { useAddress } from "../address.ts";
import styles from "./list.module.css";
import type { Counts } from "./use-lists.ts";

export const Search = () => {
  const { filter, narrow } = useAddress();
  return (
    <SearchField
      label="Search orders"
      placeholder="Reference, plate, supplier"
      value={filter.search}
      onChange={(search) => narrow({ search })}
    />
  );
};

export const NarrowMenu = () => {
  const { filter, narrow } = useAddress();
  const directory = useDirectory();
  const narrowed = filter.site !== null || filter.supplier !== null;
  return (
    <FilterMenu label="Filter by site and supplier" narrowed={narrowed} className={styles.narrow}>
      <MenuChoice
        title="Site"
        any="All sites"
        options={directory.sites}
        value={filter.site}
        onChange={(site) => narrow({ site })}
      />
      <Menu.Divider />
      <MenuChoice
        title="Supplier"
        any="All suppliers"
        options={directory.suppliers}
        value={filter.supplier}
        onChange={(supplier) => narrow({ supplier })}
      />
    </FilterMenu>
  );
};

/** What the list is narrowed to, each a click from being taken back; nothing when it is not. */
export const NarrowChips = () => {
  const { filter, narrow } = useAddress();
  const { names } = useDirectory();
  const chips = [
    { side: "repairer", id: filter.site, back: "site", all: "sites" },
    { side: "supplier", id: filter.supplier, back: "supplier", all: "suppliers" },
  ] as const;
  const shown = chips.flatMap((chip) => (chip.id === null ? [] : [{ ...chip, id: chip.id }]));
  if (shown.length === 0) return null;
  return (
    <div className={`row row-1 wrap ${styles.chips}`}>
      {shown.map(({ side, id, back, all }) => {
        const name = names.get(id) ?? id;
        return (
          <BackChip key={back} label={`Show all ${all}, not only ${name}`} onClick={() => narrow({ [back]: null })}>
            <SideGlyph side={side} />
            <span className="el">{name}</span>
          </BackChip>
        );
      })}
    </div>
  );
};

interface StateFilterProps {
  /** Undefined until they are known. */
  readonly counts: Counts | undefined;
  /** Whether the states' words stand in place of the counts: the board's columns have those. */
  readonly wide?: boolean;
}

/** All states, or one; each with its count. */
export const StateFilter = ({ counts, wide = false }: StateFilterProps) => {
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

/** A list beside the detail, or a board of the states. */
export const ViewSwitch = () => {
  const { view, show } = useAddress();
  const other = view === "list" ? "board" : "list";
  useKeys("Orders", [{ keys: ["v"], label: `Show as a ${other}`, run: () => show(other) }]);
  return (
    <Segmented
      label="Show as"
      value={view}
      onChange={show}
      options={[
        { value: "list", label: "List" },
        { value: "board", label: "Board" },
      ]}
    />
  );
};
