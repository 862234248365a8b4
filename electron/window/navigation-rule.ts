/**
 * Whether a window may go to `target`: only to the service's own origin, which serves the explorer. The address itself
 * is compared, not its `origin`: a `blob:` address has the origin of the page that made it.
 */
export function mayNavigate(target: string, explorerOrigin: string): boolean {
  return URL.canParse(target) && new URL(target).href.startsWith(`${explorerOrigin}/`);
}

/**
 * Whether `target` may be handed to the operating system. Only web addresses are: other schemes start programs
 * (`file:`, `smb:`, `ms-msdt:`), and the explorer shows text that partners wrote.
 */
export function mayOpenOutside(target: string): boolean {
  return URL.canParse(target) && ["http:", "https:"].includes(new URL(target).protocol);
}
