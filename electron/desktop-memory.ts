import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { type Theme, themes } from "./ipc/channels.ts";
import { explorerAddress } from "./links/explorer-address.ts";
import type { Bounds } from "./window/window-bounds.ts";
import { isZoom } from "./window/zoom.ts";

/** Where a window is and what it shows. */
export interface WindowState {
  /** Bounds of the window when it is neither maximized nor full screen; null: wherever it fits. */
  readonly bounds: Bounds | null;
  readonly maximized: boolean;
  /** 1 is the actual size. */
  readonly zoom: number;
  /** Its address in the explorer, the world in it where that is not `default`. */
  readonly address: string;
}

/** What the desktop app is like at the next start. */
export interface DesktopMemory {
  readonly theme: Theme;
  /** Whether notifications show failed deliveries; only when the person asked for that. */
  readonly notifiesOfFailures: boolean;
  /** Whether each start looks for a newer version; only when the person asked for that. */
  readonly checksForUpdates: boolean;
  /** The windows that were open at the end, the one used last at the end; never more than a person can mean. */
  readonly windows: readonly WindowState[];
}

/** Keeps the memory of one run in a file. */
export interface MemoryFile {
  readonly recalled: DesktopMemory;
  update(change: Partial<DesktopMemory>): void;
}

const nothingRemembered: DesktopMemory = {
  theme: "system",
  notifiesOfFailures: false,
  checksForUpdates: false,
  windows: [],
};
/** A damaged file must not open a hundred windows. */
const mostWindows = 16;

/** Opens the memory in `file`; what is missing or damaged there is simply forgotten: no window is worth an error. */
export function openMemory(file: string): MemoryFile {
  const recalled = recall(file);
  let current = recalled;
  return {
    recalled,
    update(change) {
      current = { ...current, ...change };
      remember(file, current);
    },
  };
}

/** Reads what `file` remembers. */
export function recall(file: string): DesktopMemory {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isRecord(value)) return nothingRemembered;
    return {
      theme: themes.find((theme) => theme === value.theme) ?? "system",
      notifiesOfFailures: value.notifiesOfFailures === true,
      checksForUpdates: value.checksForUpdates === true,
      windows: Array.isArray(value.windows) ? value.windows.slice(-mostWindows).flatMap(stateIn) : [],
    };
  } catch {
    return nothingRemembered;
  }
}

/** Writes `memory` to `file` in one step; a full disk costs the memory, not the quit that asks for it. */
export function remember(file: string, memory: DesktopMemory): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(memory));
    renameSync(`${file}.new`, file);
  } catch (error) {
    console.error(`The windows are not remembered: ${String(error)}`);
  }
}

function stateIn(value: unknown): WindowState[] {
  if (!isRecord(value)) return [];
  return [
    {
      bounds: isBounds(value.bounds) ? value.bounds : null,
      maximized: value.maximized === true,
      zoom: isZoom(value.zoom) ? value.zoom : 1,
      address: (typeof value.address === "string" && explorerAddress(value.address)) || "/",
    },
  ];
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function isBounds(value: unknown): value is Bounds {
  return isRecord(value) && [value.x, value.y, value.width, value.height].every(Number.isSafeInteger);
}
