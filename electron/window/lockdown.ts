import { type Session, shell, type WebContents } from "electron";
import { addressOf } from "../links/explorer-address.ts";
import { mayNavigate, mayOpenOutside } from "./navigation-rule.ts";
import { permits } from "./permission-rule.ts";

/**
 * Confines a page to the explorer's origin: no other address, no own windows, no embedded guests. For a new window,
 * `openWindow` opens the explorer's addresses; the default browser opens all others.
 */
export function confine(contents: WebContents, explorerOrigin: string, openWindow: (address: string) => void): void {
  contents.on("will-navigate", (event) => {
    if (!mayNavigate(event.url, explorerOrigin)) event.preventDefault();
  });
  contents.on("will-redirect", (event) => {
    if (!mayNavigate(event.url, explorerOrigin)) event.preventDefault();
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const address = mayNavigate(url, explorerOrigin) ? addressOf(url) : null;
    if (address !== null) openWindow(address);
    else if (mayOpenOutside(url)) void shell.openExternal(url);
    return { action: "deny" };
  });
}

/**
 * Applies the permission rule to a session. Chromium has two kinds of requests, some permissions use only one, and a
 * missing handler grants everything.
 */
export function restrictPermissions(session: Session, explorerOrigin: string): void {
  session.setPermissionRequestHandler((_contents, permission, callback, { requestingUrl, isMainFrame }) =>
    callback(permits(permission, { origin: originOf(requestingUrl), isMainFrame }, explorerOrigin)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame }) =>
    permits(permission, { origin: originOf(origin), isMainFrame }, explorerOrigin),
  );
  session.setDevicePermissionHandler(() => false);
}

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : "null");
