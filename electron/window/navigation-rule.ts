/**
 * Returns whether a window may navigate to `target`: only on the service's own origin. Compares the address instead of its
 * `origin`, because a `blob:` address has the origin of the page that created it.
 */
export function canNavigate(target: string, explorerOrigin: string): boolean {
  return URL.canParse(target) && new URL(target).href.startsWith(`${explorerOrigin}/`);
}

/**
 * Returns whether the operating system may open `target`: only web addresses. Other schemes start programs (`file:`, `smb:`,
 * `ms-msdt:`), and the explorer shows text written by partners.
 */
export function canOpenExternally(target: string): boolean {
  return URL.canParse(target) && ["http:", "https:"].includes(new URL(target).protocol);
}
