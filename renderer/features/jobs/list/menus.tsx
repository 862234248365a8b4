import { Menu } from "@mantine/core";
import { IconColumns3, IconFilter, IconFilterFilled } from "@tabler/icons-react";
import { jobStates } from "../../../../sandbox/contract/values.ts";
import { IconButton } from "../../../components/button.tsx";
import { MenuChoice } from "../../../components/menu-choice.tsx";
import { State } from "../../../components/state.tsx";
import type { Directory } from "../../../domain/directory/directory.ts";
import type { JobFilter } from "../address.ts";
import jobs from "../jobs.module.css";
import { type ColumnName, columnNames, columnsNamed, usualColumns } from "./columns.tsx";
import { stateWords } from "./words.ts";

export interface NarrowProps {
  readonly filter: JobFilter;
  readonly directory: Directory;
  readonly onNarrow: (change: Partial<JobFilter>) => void;
}

const states = jobStates.map((id) => ({ id, name: <State of={stateWords[id].mark}>{stateWords[id].word}</State> }));

/** Narrows to one state, one site, one insurer, or several of these, behind a funnel that is full while it does. */
export const NarrowMenu = ({ filter, directory, onNarrow }: NarrowProps) => {
  const { state, site, insurer } = filter;
  const icon = (state ?? site ?? insurer) === null ? IconFilter : IconFilterFilled;
  return (
    <Menu position="bottom-end" width={248}>
      <Menu.Target>
        <IconButton icon={icon} label="Filter by state, site and insurer" />
      </Menu.Target>
      <Menu.Dropdown className={jobs.menu}>
        <MenuChoice
          title="State"
          any="All states"
          options={states}
          value={state}
          onChange={(next) => onNarrow({ state: jobStates.find((one) => one === next) ?? null })}
        />
        <Menu.Divider />
        <MenuChoice
          title="Site"
          any="All sites"
          options={directory.sites}
          value={site}
          onChange={(next) => onNarrow({ site: next })}
        />
        <Menu.Divider />
        <MenuChoice
          title="Insurer"
          any="All insurers"
          options={directory.insurers}
          value={insurer}
          onChange={(next) => onNarrow({ insurer: next })}
        />
      </Menu.Dropdown>
    </Menu>
  );
};

interface ColumnsProps {
  readonly shown: readonly ColumnName[];
  readonly onShow: (shown: readonly ColumnName[]) => void;
}

const all = columnsNamed(columnNames);

/** Which columns the table has; it stays open, so that several can be chosen. */
export const ColumnMenu = ({ shown, onShow }: ColumnsProps) => (
  <Menu position="bottom-end" width={196} closeOnItemClick={false}>
    <Menu.Target>
      <IconButton icon={IconColumns3} label="Columns" />
    </Menu.Target>
    <Menu.Dropdown className={jobs.menu}>
      <Menu.Label>Columns</Menu.Label>
      {all.map(({ name, head }) => {
        const on = shown.includes(name);
        return (
          <Menu.CheckboxItem
            key={name}
            checked={on}
            onChange={() => onShow(on ? shown.filter((one) => one !== name) : [...shown, name])}
          >
            {head}
          </Menu.CheckboxItem>
        );
      })}
      <Menu.Divider />
      <Menu.Item onClick={() => onShow(usualColumns)}>Reset to default</Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
