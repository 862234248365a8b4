/** The main process's `import … from "electron"`. The import of a missing name fails with that name. */
// biome-ignore lint/performance/noBarrelFile: this file stands in for the module `electron`
export { app } from "./app.ts";
export { BrowserWindow, webContents } from "./browser-window.ts";
export { dialog } from "./dialog.ts";
export { ipcMain } from "./ipc-main.ts";
export { Menu } from "./menu.ts";
export { nativeTheme } from "./native-theme.ts";
export { Notification } from "./notification.ts";
export { clipboard, screen, session, shell } from "./system.ts";
