import { ActionIcon, Menu } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import jobs from "../jobs.module.css";
import { type ColumnName, columnNames, columnsNamed, usualColumns } from "./columns.tsx";

const all = columnsNamed(columnNames);

/** Which columns the table has; it stays open, so that several can be chosen. */
export const ColumnMenu = ({
  shown,
  onChange,
}: {
  shown: readonly ColumnName[];
  onChange: (shown: readonly ColumnName[]) => void;
}) => (
  <Menu position="bottom-end" width={196} closeOnItemClick={false}>
    <Menu.Target>
      <ActionIcon variant="subtle" size="sm" aria-label="Columns" title="Columns">
        <Icon of={IconColumns3} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown className={jobs.menu}>
      <Menu.Label>Columns</Menu.Label>
      {all.map(({ name, head }) => {
        const on = shown.includes(name);
        return (
          <Menu.CheckboxItem
            key={name}
            checked={on}
            onChange={() => onChange(on ? shown.filter((one) => one !== name) : [...shown, name])}
          >
            {head}
          </Menu.CheckboxItem>
        );
      })}
      <Menu.Divider />
      <Menu.Item onClick={() => onChange(usualColumns)}>The usual ones</Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
