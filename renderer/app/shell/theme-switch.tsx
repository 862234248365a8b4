import { Menu, useComputedColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { useChooseScheme } from "../theme/scheme.ts";

const choices = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
] as const;

export const ThemeSwitch = () => {
  const { colorScheme, choose } = useChooseScheme();
  const computed = useComputedColorScheme("light");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={computed === "dark" ? IconMoon : IconSun} label="Theme" />
      </Menu.Target>
      <Menu.Dropdown aria-label="Theme">
        {choices.map((choice) => (
          <Menu.Item
            key={choice.value}
            role="menuitemradio"
            aria-checked={colorScheme === choice.value}
            leftSection={<Icon of={choice.icon} size={14} />}
            rightSection={colorScheme === choice.value ? <Icon of={IconCheck} size={14} /> : undefined}
            onClick={() => choose(choice.value)}
          >
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
