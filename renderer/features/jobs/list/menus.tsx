import { Menu } from "@mantine/core";
import { jobStates } from "../../../../sandbox/contract/values.ts";
import type { LateMenuProps } from "../../../components/late-menu.tsx";
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

/** Narrows to one state, one site, one insurer, or several of these. */
export const NarrowMenu = ({ button, filter, directory, onNarrow, ...menu }: LateMenuProps & NarrowProps) => {
  const { state, site, insurer } = filter;
  return (
    <Menu position="bottom-end" width={248} {...menu}>
      <Menu.Target>{button}</Menu.Target>
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

export interface ColumnsProps {
  readonly shown: readonly ColumnName[];
  readonly onShow: (shown: readonly ColumnName[]) => void;
}

const all = columnsNamed(columnNames);

/** Which columns the table has; it stays open, so that several can be chosen. */
export const ColumnMenu = ({ button, shown, onShow, ...menu }: LateMenuProps & ColumnsProps) => (
  <Menu position="bottom-end" width={196} closeOnItemClick={false} {...menu}>
    <Menu.Target>{button}</Menu.Target>
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
