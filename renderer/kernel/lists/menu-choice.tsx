import { Menu } from "@mantine/core";
import type { ReactNode } from "react";

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
