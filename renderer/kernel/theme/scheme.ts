import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { desktopBridge } from "../../lib/desktop-bridge.ts";

/** Sets light, dark or the system's scheme, for the page and for the frame of the app's window. */
export const useChooseScheme = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (value: MantineColorScheme) => {
    setColorScheme(value);
    // The window's frame follows, and the choice survives a change of the port.
    void desktopBridge()?.setTheme(value === "auto" ? "system" : value);
  };
  return { colorScheme, choose };
};
