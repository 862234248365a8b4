import { Menu } from "@mantine/core";
import { useEffect, useState } from "react";
import { ChipButton, type ChipMenuProps } from "./chip-button.tsx";
import styles from "./list.module.css";

/** What the list can be narrowed to by one thing; open from the moment it is there. */
export const FilterChipMenu = ({ name, any, value, shown, groups, onChange }: ChipMenuProps) => {
  const [opened, setOpened] = useState(false);
  // What opens it has the focus first: a menu gives it back to whatever had it when it opened.
  useEffect(() => setOpened(true), []);
  return (
    <Menu position="bottom-start" width={320} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <ChipButton name={name} value={value} shown={shown} autoFocus />
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        <Menu.RadioGroup aria-label={name} value={value ?? ""} onChange={(next) => onChange(next || null)}>
          <Menu.RadioItem value="" closeMenuOnClick>
            {any}
          </Menu.RadioItem>
          {groups.map(({ title, options }) => (
            <div key={title}>
              {options.length > 0 && <Menu.Label>{title}</Menu.Label>}
              {options.map((option) => (
                <Menu.RadioItem key={option.value} value={option.value} closeMenuOnClick>
                  <span className={styles.choice}>{option.name}</span>
                </Menu.RadioItem>
              ))}
            </div>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};
