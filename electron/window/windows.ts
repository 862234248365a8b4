import { nativeTheme } from "electron";
import { DEFAULT_WORLD } from "../../sandbox/rules/worlds/world-name.ts";
import type { MemoryFile, WindowState } from "../desktop-memory.ts";
import type { OpenedFile } from "../ipc/channels.ts";
import { withWorld, worldInAddress } from "../links/explorer-address.ts";
import { type ExplorerWindow, makeWindow, type Served } from "./explorer-window.ts";
import { offsetBounds } from "./window-bounds.ts";

/** All windows of the app. */
export interface Windows {
  /** Opens the previous run's windows. */
  restore(): void;
  /** Opens an address in a new window; without a world, in that of `from` (default: the last used window). */
  open(address: string, from?: ExplorerWindow): void;
  /** Shows an external link's address: in the last used window of its world, or in a new one. */
  show(address: string): void;
  /** Opens a file in `from`; by default, like a link without a world. */
  openFile(file: OpenedFile, from?: ExplorerWindow): void;
  /** Brings the last used window to the front; opens one when there is none. */
  toFront(): void;
  /** Returns the last used window, if any. */
  current(): ExplorerWindow | undefined;
  /** Returns the worlds shown in windows. */
  worlds(): ReadonlySet<string>;
  /** From now on, closed windows count as part of the quit, so the next start opens them again. */
  ending(): void;
}

/** Limit for a broken page or a flood of links. */
const maxWindows = 16;
/** Longest delay of storing the state after a change, in milliseconds. */
const saveDelayMs = 1000;

/** Without a world, the explorer opens the last one. */
const firstState: WindowState = { bounds: null, maximized: false, zoom: 1, address: "/" };

/** @param onWorlds called when a window is opened or closed, or changes its world */
export function createWindows(served: Served, memory: MemoryFile, onWorlds: () => void): Windows {
  /** In order of use, the last used one last. */
  const open: ExplorerWindow[] = [];
  /** Position of the next window when none is open. */
  let lastClosed = memory.recalled.windows.at(-1);
  let isEnding = false;
  let pending: NodeJS.Timeout | undefined;

  function rememberNow(): void {
    clearTimeout(pending);
    pending = undefined;
    const states = open.map((one) => one.state());
    memory.update({
      theme: nativeTheme.themeSource,
      windows: states.length > 0 || !lastClosed ? states : [lastClosed],
    });
  }
  function rememberSoon(): void {
    onWorlds();
    if (!isEnding) pending ??= setTimeout(rememberNow, saveDelayMs);
  }

  function add(state: WindowState): ExplorerWindow {
    const added = makeWindow(state, served, {
      changed: rememberSoon,
      openWindow: (address) => openBeside(address, added),
    });
    const { window } = added;
    open.push(added);
    window.on("focus", () => {
      remove(added);
      open.push(added);
    });
    window.on("close", () => {
      lastClosed = added.state();
    });
    window.once("closed", () => {
      remove(added);
      onWorlds();
      if (!isEnding) rememberNow();
    });
    return added;
  }
  function remove(one: ExplorerWindow): void {
    const index = open.indexOf(one);
    if (index >= 0) open.splice(index, 1);
  }

  /** @returns the new window; at the limit, the last used one */
  function openBeside(address: string, from = open.at(-1)): ExplorerWindow {
    const last = open.at(-1);
    if (last && open.length >= maxWindows) {
      last.toFront();
      return last;
    }
    const near = from?.state() ?? lastClosed;
    return add({
      bounds: from && near?.bounds ? offsetBounds(near.bounds) : (near?.bounds ?? null),
      maximized: !from && near?.maximized === true,
      zoom: near?.zoom ?? 1,
      address: withWorld(address, from?.world ?? DEFAULT_WORLD),
    });
  }

  /** Brings the last used window of a world to the front, if any. */
  function frontIn(world: string): ExplorerWindow | undefined {
    const found = open.findLast((one) => one.world === world);
    found?.toFront();
    return found;
  }

  return {
    restore() {
      for (const state of memory.recalled.windows) add(state);
    },
    open: (address, from) => void openBeside(address, from),
    show(address) {
      const named = withWorld(address, DEFAULT_WORLD);
      const found = frontIn(worldInAddress(named) ?? DEFAULT_WORLD);
      if (found) found.go(named);
      else openBeside(named);
    },
    openFile(file, from) {
      const shown = from ?? frontIn(DEFAULT_WORLD) ?? openBeside(withWorld("/scenarios", DEFAULT_WORLD));
      shown.open(file);
    },
    toFront() {
      const current = open.at(-1);
      if (current) current.toFront();
      else add(lastClosed ?? firstState);
    },
    current: () => open.at(-1),
    worlds: () => new Set(open.map(({ world }) => world)),
    ending() {
      if (isEnding) return;
      rememberNow();
      isEnding = true;
    },
  };
}
