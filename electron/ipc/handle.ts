import { type IpcMainInvokeEvent, ipcMain, type WebContents } from "electron";
import type { Channel, Channels, Pushes } from "./channels.ts";
import { isTrustedSender } from "./trusted-sender.ts";

type Handler<C extends Channel> = (
  sender: WebContents,
  ...args: unknown[]
) => Channels[C]["result"] | Promise<Channels[C]["result"]>;

/**
 * Handles a channel for the explorer's own page only. Arguments are `unknown`, because a page may send anything
 * regardless of types.
 */
export function handle<C extends Channel>(channel: C, explorerOrigin: string, handler: Handler<C>): void {
  ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...args: unknown[]) => {
    if (!isTrustedSender(event.senderFrame, explorerOrigin)) {
      throw new Error(`${channel} is refused: the sender is not the explorer's page.`);
    }
    return handler(event.sender, ...args);
  });
}

export function push<P extends keyof Pushes>(contents: WebContents, channel: P, ...args: Pushes[P]): void {
  contents.send(channel, ...args);
}
