import { contextBridge, ipcRenderer } from "electron";
import type { Channel, Channels, DesktopBridge, Pushes } from "./ipc/channels.ts";

/** Electron's prefix of a rejection, removed so that a person reads only the sentence. */
const preamble = /^Error invoking remote method '[^']*': (?:\w*Error: )?/;

async function invoke<C extends Channel>(channel: C, ...args: Channels[C]["args"]): Promise<Channels[C]["result"]> {
  try {
    return await ipcRenderer.invoke(channel, ...args);
  } catch (error) {
    throw new Error(error instanceof Error ? error.message.replace(preamble, "") : String(error));
  }
}

/** Listens to a channel from the start, and keeps the newest message until there is a listener. */
function listenTo<P extends keyof Pushes>(channel: P): (listener: (...args: Pushes[P]) => void) => void {
  let listener: ((...args: Pushes[P]) => void) | null = null;
  let waiting: Pushes[P] | null = null;
  // The event is not passed on: its sender is `ipcRenderer`.
  ipcRenderer.on(channel, (_event, ...args) => {
    const message = args as unknown as Pushes[P];
    if (listener) listener(...message);
    else waiting = message;
  });
  return (added) => {
    listener = added;
    if (waiting) added(...waiting);
    waiting = null;
  };
}

// Never expose `ipcRenderer` itself: a page could send to any channel.
const bridge: DesktopBridge = {
  platform: process.platform,
  about: () => invoke("desktop:about"),
  openDataFolder: () => invoke("desktop:open-data-folder"),
  setTheme: (theme) => invoke("desktop:set-theme", theme),
  notifyOfFailures: (on) => invoke("desktop:notify-of-failures", on),
  saveFile: (suggestedName, content) => invoke("desktop:save-file", suggestedName, content),
  openFile: (kinds) => invoke("desktop:open-file", kinds),
  onGo: listenTo("desktop:go"),
  onOpen: listenTo("desktop:open"),
  onFind: listenTo("desktop:find"),
};

contextBridge.exposeInMainWorld("desktop", bridge);
