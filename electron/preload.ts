import { contextBridge, ipcRenderer } from "electron";
import type { Channel, Channels, DesktopBridge } from "./ipc/channels.ts";

function invoke<C extends Channel>(channel: C, ...args: Channels[C]["takes"]): Promise<Channels[C]["gives"]> {
  return ipcRenderer.invoke(channel, ...args);
}

// `ipcRenderer` itself never crosses: with it, a page could send to any channel there is.
const bridge: DesktopBridge = {
  platform: process.platform,
  about: () => invoke("desktop:about"),
  openDataFolder: () => invoke("desktop:open-data-folder"),
  setTheme: (theme) => invoke("desktop:set-theme", theme),
};

contextBridge.exposeInMainWorld("desktop", bridge);
