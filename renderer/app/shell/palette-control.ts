import { spotlight } from "@mantine/spotlight";

/** Opens the command palette from anywhere. */
export const openPalette = (): void => spotlight.open();
export const togglePalette = (): void => spotlight.toggle();
