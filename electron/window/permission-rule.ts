/** Who asks Chromium for a permission, and from where. */
export interface PermissionAsker {
  readonly origin: string;
  readonly isMainFrame: boolean;
}

/**
 * Whether a page gets a permission. The explorer copies identifiers and bytes to the clipboard on a click and needs
 * nothing else, so everything else is refused, the permissions of future Chromiums included.
 */
export function permits(permission: string, asker: PermissionAsker, explorerOrigin: string): boolean {
  return permission === "clipboard-sanitized-write" && asker.isMainFrame && asker.origin === explorerOrigin;
}
