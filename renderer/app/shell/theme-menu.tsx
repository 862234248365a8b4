import { Menu } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { Icon } from "../../components/icon.tsx";
import type { LateMenuProps } from "../../components/late-menu.tsx";
import { useChooseScheme } from "../theme/scheme.ts";

const choices = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
] as const;

/** The themes there are, behind their button. */
export const ThemeMenu = ({ button, opened, onChange }: LateMenuProps) => {
  const { colorScheme, choose } = useChooseScheme();
  return (
    <Menu position="bottom-end" opened={opened} onChange={onChange}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label="Theme">
        {choices.map(({ value, label, icon }) => (
          <Menu.RadioItem
            key={value}
            value={value}
            checked={colorScheme === value}
            closeMenuOnClick={true}
            checkIcon={<Icon of={IconCheck} size={14} />}
            onChange={() => choose(value)}
          >
            <span className="row">
              <Icon of={icon} size={14} />
              {label}
            </span>
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
