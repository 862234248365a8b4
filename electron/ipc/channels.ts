/** The colour scheme the person chose in the explorer; `system` follows the operating system. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** What a support conversation needs to know about this installation. */
export interface AboutDesktop {
  readonly app: string;
  readonly electron: string;
  readonly chrome: string;
  readonly node: string;
  readonly dataFolder: string;
}

/**
 * Every message between the window and the main process, by name. Domain data never crosses here: the explorer
 * asks the service for it over HTTP, in the desktop app as in browser mode.
 */
export interface Channels {
  "desktop:about": { readonly takes: readonly []; readonly gives: AboutDesktop };
  "desktop:open-data-folder": { readonly takes: readonly []; readonly gives: void };
  "desktop:set-theme": { readonly takes: readonly [theme: Theme]; readonly gives: void };
}
export type Channel = keyof Channels;

/** `window.desktop`: all that a page in the window can ask of the desktop app. Absent in browser mode. */
export interface DesktopBridge {
  /** `process.platform` of the main process, for example `darwin`. */
  readonly platform: string;
  about(): Promise<AboutDesktop>;
  /** Shows the service's files in the platform's file manager; rejects with a sentence when it cannot. */
  openDataFolder(): Promise<void>;
  /** Applies to the window's frame and to `prefers-color-scheme`, and is remembered for the next start. */
  setTheme(theme: Theme): Promise<void>;
}
