import type { ExecutionContext } from "./cdp.ts";
import { strict } from "./not-stood-in.ts";
import type { MainToPreload, PreloadToMain } from "./page/preload-script.ts";

type Handler = (event: InvokeEvent, ...args: unknown[]) => unknown;

/** The fields of an invoke event that identify the sender. */
interface InvokeEvent {
  readonly sender: object;
  readonly senderFrame: { readonly origin: string; readonly parent: null };
}

const handlers = new Map<string, Handler>();

export const ipcMain = strict("ipcMain", {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
});

/**
 * Handles an `ipcRenderer.invoke`. The origin comes from Chromium, never from the message. Preloads run only in top
 * frames, so every caller is one.
 */
export async function answerInvoke(
  message: Extract<PreloadToMain, { kind: "invoke" }>,
  sender: object,
  caller: ExecutionContext,
): Promise<MainToPreload> {
  const { id, channel, args } = message;
  try {
    const handler = handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    const event = strict("IpcMainInvokeEvent", {
      sender,
      senderFrame: strict("WebFrameMain", { origin: caller.origin, parent: null }),
    });
    return { kind: "answer", id, value: await handler(event, ...args) };
  } catch (error) {
    console.error(`Error occurred in handler for '${channel}':`, error);
    return { kind: "answer", id, problem: String(error) };
  }
}
