import { Menu } from "@mantine/core";
import { IconFilter, IconFilterFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";

/** A choice in a menu among a few things, or any of them. */
export const MenuChoice = ({
  title,
  any,
  options,
  value,
  onChange,
}: {
  title: string;
  any: string;
  options: ReadonlyArray<{ readonly id: string; readonly name: ReactNode }>;
  value: string | null;
  onChange: (id: string | null) => void;
}) => (
  <>
    <Menu.Label>{title}</Menu.Label>
    <Menu.RadioGroup aria-label={title} value={value ?? ""} onChange={(next) => onChange(next || null)}>
      <Menu.RadioItem value="" closeMenuOnClick>
        {any}
      </Menu.RadioItem>
      {options.map(({ id, name }) => (
        <Menu.RadioItem key={id} value={id} closeMenuOnClick>
          {name}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  </>
);

/** What a list can be narrowed to, in a menu behind a funnel that is full while the list is. */
export const FilterMenu = ({
  label,
  narrowed,
  className,
  children,
}: {
  label: string;
  narrowed: boolean;
  className: string | undefined;
  children: ReactNode;
}) => (
  <Menu position="bottom-end" width={248}>
    <Menu.Target>
      <IconButton icon={narrowed ? IconFilterFilled : IconFilter} label={label} />
    </Menu.Target>
    <Menu.Dropdown {...(className === undefined ? {} : { className })}>{children}</Menu.Dropdown>
  </Menu>
);
