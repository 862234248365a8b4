import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { desktopBridge } from "../../lib/desktop-bridge.ts";

/** Chooses light, dark or as the system, for the page and for the frame of the app's window. */
export const useChooseScheme = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (value: MantineColorScheme) => {
    setColorScheme(value);
    // So that the window's frame follows, and the choice outlives a change of the port.
    void desktopBridge()?.setTheme(value === "auto" ? "system" : value);
  };
  return { colorScheme, choose };
};
