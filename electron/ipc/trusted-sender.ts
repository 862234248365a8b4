/** The part of Electron's `WebFrameMain` that says who sends a message. */
export interface Sender {
  readonly origin: string;
  readonly parent: unknown;
}

/**
 * Whether a message comes from the explorer itself: the top frame of a window, on the service's origin. Electron gives
 * null for a frame that is already gone, and an answer to that one could reach whatever page replaces it.
 */
export function isTrustedSender(frame: Sender | null, explorerOrigin: string): boolean {
  return frame !== null && frame.parent === null && frame.origin === explorerOrigin;
}
