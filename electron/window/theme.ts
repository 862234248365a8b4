import { nativeTheme } from "electron";

/** The explorer's page colour, so that the window is never white before the first paint. */
const pageColour = { light: "#ffffff", dark: "#14171a" } as const;

/** The background colour of a window in the scheme that applies now. */
export function backgroundColour(): string {
  return nativeTheme.shouldUseDarkColors ? pageColour.dark : pageColour.light;
}
