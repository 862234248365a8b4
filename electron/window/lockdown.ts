import { type Session, shell, type WebContents } from "electron";
import { addressOf } from "../links/explorer-address.ts";
import { mayNavigate, mayOpenOutside } from "./navigation-rule.ts";
import { permits } from "./permission-rule.ts";

/**
 * Keeps a page on the explorer's origin: no other address, no window of its own making, no embedded guest. Where it asks
 * for a further window, `openWindow` makes one for an address of the explorer, and the person's browser gets the rest.
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
 * Applies the permission rule to a session. Chromium asks in two ways, some permissions only in one of them, and
 * grants by default where a handler is missing.
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
