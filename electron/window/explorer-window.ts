import { BrowserWindow, nativeTheme } from "electron";
import { DEFAULT_WORLD } from "../../sandbox/rules/worlds/world-name.ts";
import type { WindowState } from "../desktop-memory.ts";
import type { OpenedFile } from "../ipc/channels.ts";
import { push } from "../ipc/handle.ts";
import { addressOf, namingWorld, worldNamedIn } from "../links/explorer-address.ts";
import { attachContextMenu } from "../menu/context-menu.ts";
import { followHistoryGestures, type HistoryStep, stepThroughHistory } from "./history.ts";
import { confine } from "./lockdown.ts";
import { offerReload } from "./recovery.ts";
import { backgroundColour } from "./theme.ts";
import { windowBounds } from "./window-bounds.ts";
import { windowOptions, workAreas } from "./window-options.ts";
import { type ZoomStep, zoomed } from "./zoom.ts";

/** One window of the explorer, with a world, an address and a zoom of its own. */
export interface ExplorerWindow {
  readonly window: BrowserWindow;
  /** The world it looks at: the one its address names. */
  readonly world: string;
  /** Where it is and what it shows now. */
  state(): WindowState;
  /** Shows another address, as a link in the page would. */
  go(address: string): void;
  /** Has the page open a file. */
  open(file: OpenedFile): void;
  /** Has the page ask for a text to look for. */
  find(): void;
  zoom(step: ZoomStep): void;
  /** Goes back to what it showed before, or forward again. */
  step(step: HistoryStep): void;
  toFront(): void;
}

/** Where the explorer is served. */
export interface Served {
  readonly origin: string;
  /** `#token=…`, which its pages need; what stands in a fragment is sent to no server. */
  readonly fragment: string;
}

/** What a window asks of those who keep all windows. */
export interface Asks {
  /** Its address or its zoom is another. */
  changed(): void;
  /** Somebody wants an address in a window of its own. */
  openWindow(address: string): void;
}

/** Makes a window and loads its address. */
export function makeWindow(state: WindowState, served: Served, { changed, openWindow }: Asks): ExplorerWindow {
  const window = new BrowserWindow({ ...windowOptions(), ...windowBounds(state.bounds, workAreas()) });
  const contents = window.webContents;
  let { zoom, address } = state;
  let listens = false;
  const here = () => namingWorld(address, DEFAULT_WORLD);
  confine(contents, served.origin, openWindow);
  attachContextMenu(window, served.origin, here, openWindow);
  followHistoryGestures(window);

  function shows(url: string): void {
    address = addressOf(url) ?? address;
    changed();
  }
  contents.on("did-navigate", (_event, url) => {
    listens = false;
    shows(url);
  });
  contents.on("did-navigate-in-page", (_event, url, isMainFrame) => {
    if (isMainFrame) shows(url);
  });

  const applyZoom = () => contents.setZoomFactor(zoom);
  function stepZoom(step: ZoomStep): void {
    zoom = zoomed(zoom, step);
    applyZoom();
    changed();
  }
  // Chromium gives all windows of an origin one zoom by default, and may forget it over a load.
  contents.setZoomMode("isolated");
  contents.on("dom-ready", () => {
    listens = true;
    applyZoom();
  });
  contents.on("zoom-changed", (_event, direction) => stepZoom(direction));

  function load(): void {
    // The service answers before the window exists; a load that fails shows Chromium's own page, and reload mends it.
    window.loadURL(`${served.origin}${address}${served.fragment}`).catch((error: unknown) => {
      // One that another load overtook has not failed.
      if (!String(error).includes("ERR_ABORTED")) console.error(`The explorer does not load: ${String(error)}`);
    });
  }

  offerReload(window, load);
  contents.on("render-process-gone", () => {
    listens = false;
  });

  const followTheme = () => window.setBackgroundColor(backgroundColour());
  nativeTheme.on("updated", followTheme);
  window.once("closed", () => nativeTheme.off("updated", followTheme));
  window.once("ready-to-show", () => {
    if (state.maximized) window.maximize();
    window.show();
  });
  load();

  return {
    window,
    get world() {
      return worldNamedIn(address) ?? DEFAULT_WORLD;
    },
    state: () => ({
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
      zoom,
      address: here(),
    }),
    go(to) {
      address = to;
      if (listens) push(contents, "desktop:go", to);
      else load();
    },
    open(file) {
      const hand = () => push(contents, "desktop:open", file);
      if (listens) hand();
      else contents.once("dom-ready", hand);
    },
    find: () => push(contents, "desktop:find"),
    zoom: stepZoom,
    step: (step) => stepThroughHistory(window, step),
    toFront() {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
  };
}
