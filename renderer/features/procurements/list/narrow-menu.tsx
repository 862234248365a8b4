import { Menu } from "@mantine/core";
import { BackChip } from "../../../components/chip.tsx";
import { FilterMenu, MenuChoice } from "../../../components/menu-choice.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { useDirectory } from "../../../domain/directory/directory.ts";
import { useAddress } from "../address.ts";
import styles from "./list.module.css";

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
