import { type AboutDesktop, type Theme, themes } from "./channels.ts";
import { handle } from "./handle.ts";

/** What the window's requests set in motion. */
export interface DesktopActions {
  about(): AboutDesktop;
  openDataFolder(): Promise<void>;
  setTheme(theme: Theme): void;
}

/** Binds every channel to its action. Called once, before the window loads. */
export function registerHandlers(explorerOrigin: string, actions: DesktopActions): void {
  handle("desktop:about", explorerOrigin, () => actions.about());
  handle("desktop:open-data-folder", explorerOrigin, () => actions.openDataFolder());
  handle("desktop:set-theme", explorerOrigin, (theme) => actions.setTheme(parseTheme(theme)));
}

function parseTheme(value: unknown): Theme {
  const theme = themes.find((known) => known === value);
  if (theme === undefined) throw new Error(`A theme is one of ${themes.join(", ")}.`);
  return theme;
}
