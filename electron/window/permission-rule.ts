/** The page that requests a permission from Chromium. */
export interface PermissionAsker {
  readonly origin: string;
  readonly isMainFrame: boolean;
}

/**
 * Returns whether a page gets a permission. The explorer only writes to the clipboard on a click, so everything else is
 * refused, including permissions of future Chromium versions.
 */
export function permits(permission: string, asker: PermissionAsker, explorerOrigin: string): boolean {
  return permission === "clipboard-sanitized-write" && asker.isMainFrame && asker.origin === explorerOrigin;
}
