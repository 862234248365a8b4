/** Colour schemes of the explorer; `system` follows the operating system. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Facts about this installation for support. */
export interface AboutDesktop {
  readonly app: string;
  readonly electron: string;
  readonly chrome: string;
  readonly node: string;
  /** The service's SQLite library. */
  readonly sqlite: string;
  /** Version of the contract that the service implements. */
  readonly api: string;
  readonly dataFolder: string;
}

/**
 * The largest file the explorer saves (64 MiB) and opens (32 MiB), in bytes. Declared as a type, so both sides check
 * it.
 */
export interface FileLimits {
  readonly save: 67_108_864;
  readonly open: 33_554_432;
}

/** File chosen by the user: its name only, never its path. */
export interface OpenedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A kind of file in an open dialog: `{ name: "Pictures", extensions: ["png", "jpg"] }`. */
export interface FileKind {
  readonly name: string;
  /** Without the dot. */
  readonly extensions: readonly string[];
}

/**
 * Messages between the window and the main process, by name. Domain data never uses these: the explorer requests it
 * from the service over HTTP, as in browser mode.
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

/** Messages from the main process to a window. */
export interface Pushes {
  "desktop:go": readonly [address: string];
  "desktop:open": readonly [file: OpenedFile];
  "desktop:find": readonly [];
}

/** `window.desktop`: everything a page can request of the desktop app. Absent in browser mode. */
export interface DesktopBridge {
  /** `process.platform` of the main process, for example `darwin`. */
  readonly platform: string;
  about(): Promise<AboutDesktop>;
  /** Shows the service's files in the platform's file manager; rejects with a sentence on failure. */
  openDataFolder(): Promise<void>;
  /** Applies to the window's frame and to `prefers-color-scheme`; stored for the next start. */
  setTheme(theme: Theme): Promise<void>;
  /**
   * Turns notifications of failed deliveries on or off, also for the next start; null only reads the setting. Resolves
   * to the current setting.
   */
  notifyOfFailures(on: boolean | null): Promise<boolean>;
  /**
   * Asks where to save, and writes the file. Resolves to its name, or null when cancelled; rejects with a sentence when
   * it's too large (see FileLimits) or can't be written.
   */
  saveFile(suggestedName: string, content: string | Uint8Array): Promise<string | null>;
  /** Asks for a file; null when cancelled; rejects with a sentence when it's too large or unreadable. */
  openFile(kinds: readonly FileKind[]): Promise<OpenedFile | null>;
  /**
   * Calls `listener` with every address that a link or a notification opens in this window, such as
   * `/jobs/<id>?world=qa`. An earlier one is delivered immediately.
   */
  onGo(listener: (address: string) => void): void;
  /** Calls `listener` with every file opened from the menu or the system: a scenario, a reproduction or a HAR. */
  onOpen(listener: (file: OpenedFile) => void): void;
  /** Calls `listener` for each Find command of the menu. */
  onFind(listener: () => void): void;
}
