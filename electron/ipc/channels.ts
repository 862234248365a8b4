/** The colour scheme the person chose in the explorer; `system` follows the operating system. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** What a support conversation needs to know about this installation. */
export interface AboutDesktop {
  readonly app: string;
  readonly electron: string;
  readonly chrome: string;
  readonly node: string;
  /** The SQLite library the service keeps its worlds with. */
  readonly sqlite: string;
  /** The version of the contract that the service speaks. */
  readonly api: string;
  readonly dataFolder: string;
}

/** The largest file the explorer saves (64 MiB) and opens (32 MiB), in bytes; a type, so that both sides hold to it. */
export interface FileLimits {
  readonly save: 67_108_864;
  readonly open: 33_554_432;
}

/** File chosen by the user: its name only, never its path. */
export interface OpenedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One kind of file an open dialog offers: `{ name: "Pictures", extensions: ["png", "jpg"] }`. */
export interface FileKind {
  readonly name: string;
  /** Without the dot. */
  readonly extensions: readonly string[];
}

/**
 * Every message between the window and the main process, by name. Domain data never crosses here: the explorer
 * asks the service for it over HTTP, in the desktop app as in browser mode.
 */
export interface Channels {
  "desktop:about": { readonly args: readonly []; readonly result: AboutDesktop };
  "desktop:open-data-folder": { readonly args: readonly []; readonly result: void };
  "desktop:set-theme": { readonly args: readonly [theme: Theme]; readonly result: void };
  "desktop:notify-of-failures": { readonly args: readonly [on: boolean | null]; readonly result: boolean };
  "desktop:save-file": {
    readonly args: readonly [suggestedName: string, content: string | Uint8Array];
    readonly result: string | null;
  };
  "desktop:open-file": { readonly args: readonly [kinds: readonly FileKind[]]; readonly result: OpenedFile | null };
}
export type Channel = keyof Channels;

/** What the main process sends to a window. */
export interface Pushes {
  "desktop:go": readonly [address: string];
  "desktop:open": readonly [file: OpenedFile];
  "desktop:find": readonly [];
}

/** `window.desktop`: all that a page in the window can ask of the desktop app. Absent in browser mode. */
export interface DesktopBridge {
  /** `process.platform` of the main process, for example `darwin`. */
  readonly platform: string;
  about(): Promise<AboutDesktop>;
  /** Shows the service's files in the platform's file manager; rejects with a sentence when it cannot. */
  openDataFolder(): Promise<void>;
  /** Applies to the window's frame and to `prefers-color-scheme`, and is remembered for the next start. */
  setTheme(theme: Theme): Promise<void>;
  /**
   * Switches the system's notices of failed deliveries, which is remembered for the next start; null only asks. Resolves
   * to whether they are shown now.
   */
  notifyOfFailures(on: boolean | null): Promise<boolean>;
  /**
   * Asks the person where to save, and writes there. Resolves to the name the file has now, null when the person
   * decided against it; rejects with a sentence when it is too large (see FileLimits) or cannot be written.
   */
  saveFile(suggestedName: string, content: string | Uint8Array): Promise<string | null>;
  /** Asks the person for a file; null when they chose none, rejects with a sentence when it is too large or unreadable. */
  openFile(kinds: readonly FileKind[]): Promise<OpenedFile | null>;
  /**
   * Calls `listener` with every address this window is sent to by a link or a notification, such as
   * `/jobs/<id>?world=qa`; one that came before it listened comes at once.
   */
  onGo(listener: (address: string) => void): void;
  /** The same with every file that is opened by the menu or the system: a scenario, a reproduction or a HAR. */
  onOpen(listener: (file: OpenedFile) => void): void;
  /** Calls `listener` each time the menu asks to look for a text on the page. */
  onFind(listener: () => void): void;
}
