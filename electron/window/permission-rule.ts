/** The page that requests a permission from Chromium. */
interface PermissionRequester {
  readonly origin: string;
  readonly isMainFrame: boolean;
}

/**
 * Returns whether a page gets a permission. The explorer only writes to the clipboard on a click, so everything else is
 * refused, including permissions of future Chromium versions.
 */
export function isPermitted(permission: string, asker: PermissionRequester, explorerOrigin: string): boolean {
  return permission === "clipboard-sanitized-write" && asker.isMainFrame && asker.origin === explorerOrigin;
}
