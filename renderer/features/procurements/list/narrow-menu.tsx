import { ActionIcon, Menu } from "@mantine/core";
import { IconFilter, IconFilterFilled, IconX } from "@tabler/icons-react";
import type { DirectoryBusiness } from "../../../../sandbox/contract/control/operations.ts";
import { Icon } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import type { ProcurementFilter } from "../address.ts";
import type { Directory } from "./use-directory.ts";

interface Props {
  readonly filter: ProcurementFilter;
  readonly directory: Directory;
  readonly onNarrow: (change: Partial<ProcurementFilter>) => void;
}

const Choice = ({
  title,
  any,
  businesses,
  value,
  onChange,
}: {
  title: string;
  any: string;
  businesses: readonly DirectoryBusiness[];
  value: string | null;
  onChange: (id: string | null) => void;
}) => (
  <>
    <Menu.Label>{title}</Menu.Label>
    <Menu.RadioGroup aria-label={title} value={value ?? ""} onChange={(next) => onChange(next || null)}>
      <Menu.RadioItem value="" closeMenuOnClick>
        {any}
      </Menu.RadioItem>
      {businesses.map(({ id, name }) => (
        <Menu.RadioItem key={id} value={id} closeMenuOnClick>
          {name}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  </>
);

/** Narrows to one site, one supplier, or both. */
export const NarrowMenu = ({ filter, directory, onNarrow }: Props) => {
  const narrowed = filter.site !== null || filter.supplier !== null;
  return (
    <Menu position="bottom-end" width={248}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          size="sm"
          aria-label="Filter by site and supplier"
          title="Filter by site and supplier"
        >
          <Icon of={narrowed ? IconFilterFilled : IconFilter} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className="procurements-narrow">
        <Choice
          title="Site"
          any="All sites"
          businesses={directory.sites}
          value={filter.site}
          onChange={(site) => onNarrow({ site })}
        />
        <Menu.Divider />
        <Choice
          title="Supplier"
          any="All suppliers"
          businesses={directory.suppliers}
          value={filter.supplier}
          onChange={(supplier) => onNarrow({ supplier })}
        />
      </Menu.Dropdown>
    </Menu>
  );
};

/** What the list is narrowed to, each a click from being taken back; nothing when it is not. */
export const NarrowChips = ({ filter, directory, onNarrow }: Props) => {
  const chips = [
    { side: "repairer", id: filter.site, back: "site", all: "sites" },
    { side: "supplier", id: filter.supplier, back: "supplier", all: "suppliers" },
  ] as const;
  const shown = chips.flatMap((chip) => (chip.id === null ? [] : [{ ...chip, id: chip.id }]));
  if (shown.length === 0) return null;
  return (
    <div className="row row-1 wrap procurements-chips">
      {shown.map(({ side, id, back, all }) => {
        const name = directory.names.get(id) ?? id;
        return (
          <button
            key={back}
            type="button"
            className="chip"
            aria-label={`Show all ${all}, not only ${name}`}
            onClick={() => onNarrow({ [back]: null })}
          >
            <SideGlyph side={side} />
            <span className="el">{name}</span>
            <Icon of={IconX} size={12} />
          </button>
        );
      })}
    </div>
  );
};
