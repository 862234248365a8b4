import { Group, Menu, useComputedColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { useChooseScheme } from "../../kernel/theme/scheme.ts";

const choices = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "System", icon: IconDeviceDesktop },
] as const;

/** The themes, behind a button that shows the current one. */
export const ThemeMenu = () => {
  const { colorScheme, choose } = useChooseScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={isDark ? IconMoon : IconSun} label="Theme" />
      </Menu.Target>
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
            <Group component="span">
              <Icon of={icon} size={14} />
              {label}
            </Group>
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
