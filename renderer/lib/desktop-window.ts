import { navigate } from "wouter/use-browser-location";
import { desktopBridge } from "./desktop-bridge.ts";
import { inWorld } from "./world-address.ts";
import { DEFAULT_WORLD } from "./world-name.ts";

/**
 * Lets the desktop app send this window to an address: a link from another program, a notification that was clicked.
 * Call once, when addresses can be shown. Does nothing in browser mode.
 */
export const followDesktop = (): void => {
  desktopBridge()?.onGo((address) => navigate(inWorld(address, DEFAULT_WORLD)));
};
