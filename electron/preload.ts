import { contextBridge, ipcRenderer } from "electron";
import type { Channel, Channels, DesktopBridge, Pushes } from "./ipc/channels.ts";

/** What Electron puts before a refusal; a person reads the sentence alone. */
const preamble = /^Error invoking remote method '[^']*': (?:\w*Error: )?/;

async function invoke<C extends Channel>(channel: C, ...args: Channels[C]["args"]): Promise<Channels[C]["result"]> {
  try {
    return await ipcRenderer.invoke(channel, ...args);
  } catch (error) {
    throw new Error(error instanceof Error ? error.message.replace(preamble, "") : String(error));
  }
}

/** Hears one channel from the start, and keeps the newest message until somebody listens. */
function listenTo<P extends keyof Pushes>(channel: P): (listener: (...args: Pushes[P]) => void) => void {
  let listener: ((...args: Pushes[P]) => void) | null = null;
  let waiting: Pushes[P] | null = null;
  // The event stays here: its sender is `ipcRenderer`.
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

// `ipcRenderer` itself never crosses: with it, a page could send to any channel there is.
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
