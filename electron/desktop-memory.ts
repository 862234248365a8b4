import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { type Theme, themes } from "./ipc/channels.ts";
import { explorerAddress } from "./links/explorer-address.ts";
import type { Bounds } from "./window/window-bounds.ts";
import { isZoom } from "./window/zoom.ts";

/** A window's position and content. */
export interface WindowState {
  /** Bounds when neither maximized nor full screen; null: the default. */
  readonly bounds: Bounds | null;
  readonly maximized: boolean;
  readonly zoom: number;
  /** Address in the explorer, with its world unless `default`. */
  readonly address: string;
}

/** State that the next start restores. */
export interface DesktopMemory {
  readonly theme: Theme;
  /** True if notifications show failed deliveries; off until the user enables it. */
  readonly notifiesOfFailures: boolean;
  /** True if each start checks for a newer version; off until the user enables it. */
  readonly checksForUpdates: boolean;
  /** Windows that were open at the end, the last used one last; limited in number. */
  readonly windows: readonly WindowState[];
}

/** Stores the state of one run in a file. */
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
/** Limits the windows that a damaged file can open. */
const maxWindows = 16;

/** Opens the state in `file`. Missing or damaged parts become defaults, without an error. */
export function openMemory(file: string): MemoryFile {
  const recalled = readMemory(file);
  let current = recalled;
  return {
    recalled,
    update(change) {
      current = { ...current, ...change };
      writeMemory(file, current);
    },
  };
}

export function readMemory(file: string): DesktopMemory {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isRecord(value)) return nothingRemembered;
    return {
      theme: themes.find((theme) => theme === value.theme) ?? "system",
      notifiesOfFailures: value.notifiesOfFailures === true,
      checksForUpdates: value.checksForUpdates === true,
      windows: Array.isArray(value.windows) ? value.windows.slice(-maxWindows).flatMap(parseState) : [],
    };
  } catch {
    return nothingRemembered;
  }
}

/** Writes `memory` to `file` atomically. Ignores a full disk, so that the app can still quit. */
export function writeMemory(file: string, memory: DesktopMemory): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(memory));
    renameSync(`${file}.new`, file);
  } catch (error) {
    console.error("window state not saved", error);
  }
}

function parseState(value: unknown): WindowState[] {
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
