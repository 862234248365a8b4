import type { WebContents } from "electron";
import { type AboutDesktop, type FileKind, type OpenedFile, type Theme, themes } from "./channels.ts";
import { handle } from "./handle.ts";

/** Actions behind the window's requests; `from` is the requesting page. */
export interface DesktopActions {
  about(): AboutDesktop;
  openDataFolder(): Promise<void>;
  setTheme(theme: Theme): void;
  notifyOfFailures(on: boolean | null): boolean;
  saveFile(from: WebContents, suggestedName: string, content: string | Uint8Array): Promise<string | null>;
  openFile(from: WebContents, kinds: readonly FileKind[]): Promise<OpenedFile | null>;
}

/** Binds every channel to its action. Call once, before the window loads. */
export function registerHandlers(explorerOrigin: string, actions: DesktopActions): void {
  handle("desktop:about", explorerOrigin, () => actions.about());
  handle("desktop:open-data-folder", explorerOrigin, () => actions.openDataFolder());
  handle("desktop:set-theme", explorerOrigin, (_from, theme) => actions.setTheme(parseTheme(theme)));
  handle("desktop:notify-of-failures", explorerOrigin, (_from, on) => actions.notifyOfFailures(parseSwitch(on)));
  handle("desktop:save-file", explorerOrigin, (from, name, content) =>
    actions.saveFile(from, String(name), parseContent(content)),
  );
  handle("desktop:open-file", explorerOrigin, (from, kinds) => actions.openFile(from, parseKinds(kinds)));
}

function parseTheme(value: unknown): Theme {
  const theme = themes.find((known) => known === value);
  if (theme === undefined) throw new Error(`A theme is one of ${themes.join(", ")}.`);
  return theme;
}

function parseSwitch(value: unknown): boolean | null {
  if (value === null || typeof value === "boolean") return value;
  throw new Error("A switch is on, off, or null to read it.");
}

function parseContent(value: unknown): string | Uint8Array {
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  throw new Error("A file holds text or bytes.");
}

function parseKinds(value: unknown): readonly FileKind[] {
  if (Array.isArray(value) && value.every(isKind)) return value;
  throw new Error('A kind of file has a name and extensions without a dot: { name: "Pictures", extensions: ["png"] }.');
}

const isKind = (value: unknown): value is FileKind =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  "extensions" in value &&
  Array.isArray(value.extensions) &&
  value.extensions.every((extension) => typeof extension === "string" && /^[a-z0-9]{1,16}$/i.test(extension));
