/** The part of Electron's `WebFrameMain` that identifies a sender. */
export interface Sender {
  readonly origin: string;
  readonly parent: unknown;
}

/**
 * Returns whether a message comes from the explorer itself: a window's top frame on the service's origin. Electron passes null
 * for a closed frame; a response to that could reach the page that replaces it.
 */
export function isTrustedSender(frame: Sender | null, explorerOrigin: string): boolean {
  return frame !== null && frame.parent === null && frame.origin === explorerOrigin;
}
