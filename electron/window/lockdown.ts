import { type Session, shell, type WebContents } from "electron";
import { addressInUrl } from "../links/explorer-address.ts";
import { canNavigate, canOpenExternally } from "./navigation-rule.ts";
import { isPermitted } from "./permission-rule.ts";

/**
 * Confines a page to the explorer's origin: no other address, no own windows, no embedded guests. For a new window,
 * `openWindow` opens the explorer's addresses; the default browser opens all others.
 */
export function confine(contents: WebContents, explorerOrigin: string, openWindow: (address: string) => void): void {
  contents.on("will-navigate", (event) => {
    if (!canNavigate(event.url, explorerOrigin)) event.preventDefault();
  });
  contents.on("will-redirect", (event) => {
    if (!canNavigate(event.url, explorerOrigin)) event.preventDefault();
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const address = canNavigate(url, explorerOrigin) ? addressInUrl(url) : null;
    if (address !== null) openWindow(address);
    else if (canOpenExternally(url)) void shell.openExternal(url);
    return { action: "deny" };
  });
}

/**
 * Applies the permission rule to a session. Chromium has two kinds of requests, some permissions use only one, and a
 * missing handler grants everything.
 */
export function restrictPermissions(session: Session, explorerOrigin: string): void {
  session.setPermissionRequestHandler((_contents, permission, callback, { requestingUrl, isMainFrame }) =>
    callback(isPermitted(permission, { origin: urlOrigin(requestingUrl), isMainFrame }, explorerOrigin)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame }) =>
    isPermitted(permission, { origin: urlOrigin(origin), isMainFrame }, explorerOrigin),
  );
  session.setDevicePermissionHandler(() => false);
}

const urlOrigin = (address: string): string => (URL.canParse(address) ? new URL(address).origin : "null");
