import { BrowserWindow, nativeTheme } from "electron";
import { DEFAULT_WORLD } from "../../sandbox/rules/worlds/world-name.ts";
import type { WindowState } from "../desktop-memory.ts";
import type { OpenedFile } from "../ipc/channels.ts";
import { push } from "../ipc/handle.ts";
import { addressInUrl, withWorld, worldInAddress } from "../links/explorer-address.ts";
import { attachContextMenu } from "../menu/context-menu.ts";
import { followHistoryGestures, type HistoryStep, stepThroughHistory } from "./history.ts";
import { confine } from "./lockdown.ts";
import { offerReload } from "./recovery.ts";
import { backgroundColour } from "./theme.ts";
import { windowBounds } from "./window-bounds.ts";
import { windowOptions, workAreas } from "./window-options.ts";
import { nextZoom, type ZoomStep } from "./zoom.ts";

/** An explorer window with its own world, address and zoom. */
export interface ExplorerWindow {
  readonly window: BrowserWindow;
  /** The world in its address. */
  readonly world: string;
  /** Its current position and content. */
  state(): WindowState;
  /** Navigates like a link in the page. */
  go(address: string): void;
  /** Opens a file in the page. */
  open(file: OpenedFile): void;
  /** Opens the page's search field. */
  find(): void;
  zoom(step: ZoomStep): void;
  /** Navigates back or forward. */
  step(step: HistoryStep): void;
  toFront(): void;
}

/** The explorer's origin and access. */
export interface Served {
  readonly origin: string;
  /** `#token=…`, which pages need; a fragment is never sent to a server. */
  readonly fragment: string;
}

/** Requests of a window to the window list. */
interface WindowRequests {
  /** Its address or zoom changed. */
  changed(): void;
  /** Opens an address in another window. */
  openWindow(address: string): void;
}

/** Creates a window and loads its address. */
export function makeWindow(
  state: WindowState,
  served: Served,
  { changed, openWindow }: WindowRequests,
): ExplorerWindow {
  const window = new BrowserWindow({ ...windowOptions(), ...windowBounds(state.bounds, workAreas()) });
  const contents = window.webContents;
  let { zoom, address } = state;
  let listens = false;
  const here = () => withWorld(address, DEFAULT_WORLD);
  confine(contents, served.origin, openWindow);
  attachContextMenu(window, served.origin, here, openWindow);
  followHistoryGestures(window);

  function shows(url: string): void {
    address = addressInUrl(url) ?? address;
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
    zoom = nextZoom(zoom, step);
    applyZoom();
    changed();
  }
  // By default, Chromium shares one zoom among all windows of an origin, and may reset it on a load.
  contents.setZoomMode("isolated");
  contents.on("dom-ready", () => {
    listens = true;
    applyZoom();
  });
  contents.on("zoom-changed", (_event, direction) => stepZoom(direction));

  function load(): void {
    // The service runs before the window exists. On a failed load, Chromium shows its own page, and a reload helps.
    window.loadURL(`${served.origin}${address}${served.fragment}`).catch((error: unknown) => {
      // A load that another one replaced has not failed.
      if (!String(error).includes("ERR_ABORTED")) console.error("explorer failed to load", error);
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
      return worldInAddress(address) ?? DEFAULT_WORLD;
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
