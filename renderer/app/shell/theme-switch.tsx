import { Menu, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { desktopBridge } from "../../lib/desktop-bridge.ts";

const choices = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
] as const;

export const ThemeSwitch = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const computed = useComputedColorScheme("light");
  const choose = (value: (typeof choices)[number]["value"]) => {
    setColorScheme(value);
    // So that the window's frame follows, and the choice outlives a change of the port.
    void desktopBridge()?.setTheme(value === "auto" ? "system" : value);
  };
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
