import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { type Theme, themes } from "./ipc/channels.ts";
import type { Bounds } from "./window-bounds.ts";

/** What the window is like at the next start. */
export interface WindowMemory {
  /** Bounds of the window when it is neither maximized nor full screen; null: never opened. */
  readonly bounds: Bounds | null;
  readonly maximized: boolean;
  readonly theme: Theme;
}

const nothingRemembered: WindowMemory = { bounds: null, maximized: false, theme: "system" };

/** Reads what `file` remembers. Whatever is missing or damaged there is simply forgotten: no window is worth an error. */
export function recall(file: string): WindowMemory {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isRecord(value)) return nothingRemembered;
    return {
      bounds: isBounds(value.bounds) ? value.bounds : null,
      maximized: value.maximized === true,
      theme: themes.find((theme) => theme === value.theme) ?? "system",
    };
  } catch {
    return nothingRemembered;
  }
}

/** Writes `memory` to `file` in one step; a full disk costs the memory, not the quit that asks for it. */
export function remember(file: string, memory: WindowMemory): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(memory));
    renameSync(`${file}.new`, file);
  } catch (error) {
    console.error(`The window's position is not remembered: ${String(error)}`);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function isBounds(value: unknown): value is Bounds {
  return isRecord(value) && [value.x, value.y, value.width, value.height].every(Number.isSafeInteger);
}
