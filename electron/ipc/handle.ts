import { type IpcMainInvokeEvent, ipcMain } from "electron";
import type { Channel, Channels } from "./channels.ts";
import { isTrustedSender } from "./trusted-sender.ts";

type Handler<C extends Channel> = (...args: unknown[]) => Channels[C]["gives"] | Promise<Channels[C]["gives"]>;

/**
 * Answers one channel, for the explorer's own page alone. Arguments arrive as `unknown`, because a page sends what it
 * likes whatever the types say.
 */
export function handle<C extends Channel>(channel: C, explorerOrigin: string, handler: Handler<C>): void {
  ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...args: unknown[]) => {
    if (!isTrustedSender(event.senderFrame, explorerOrigin)) {
      throw new Error(`${channel} is refused: the sender is not the explorer's page.`);
    }
    return handler(...args);
  });
}
