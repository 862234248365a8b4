import { nativeTheme } from "electron";

/** The explorer's page colour, so that a window isn't white before the first paint. */
const pageColour = { light: "#ffffff", dark: "#14171a" } as const;

/** Background colour of a window in the current scheme. */
export function backgroundColour(): string {
  return nativeTheme.shouldUseDarkColors ? pageColour.dark : pageColour.light;
}
