import type { MenuItemConstructorOptions } from "electron";

/** What the menu can do beyond the platform's own roles. */
export interface MenuActions {
  openDataFolder(): void;
  showAbout(): void;
}

/** The application menu with the usual entries and keys of `platform` (a value of `process.platform`). */
export function menuTemplate(platform: string, appName: string, actions: MenuActions): MenuItemConstructorOptions[] {
  const isMac = platform === "darwin";
  const about: MenuItemConstructorOptions = { id: "about", label: `About ${appName}`, click: actions.showAbout };
  const openDataFolder: MenuItemConstructorOptions = {
    id: "open-data-folder",
    label: "Open data folder",
    click: actions.openDataFolder,
  };
  return [
    ...(isMac ? [macAppMenu(appName, about)] : []),
    { label: "&File", submenu: [openDataFolder, separator, { role: isMac ? "close" : "quit" }] },
    { role: "editMenu" },
    viewMenu,
    { role: "windowMenu" },
    { role: "help", submenu: isMac ? [openDataFolder] : [about] },
  ];
}

const separator: MenuItemConstructorOptions = { type: "separator" };

const macAppMenu = (appName: string, about: MenuItemConstructorOptions): MenuItemConstructorOptions => ({
  label: appName,
  submenu: [
    about,
    separator,
    { role: "services" },
    separator,
    { role: "hide" },
    { role: "hideOthers" },
    { role: "unhide" },
    separator,
    { role: "quit" },
  ],
});

const viewMenu: MenuItemConstructorOptions = {
  label: "&View",
  submenu: [
    { role: "reload" },
    { role: "toggleDevTools" },
    separator,
    { role: "resetZoom" },
    { role: "zoomIn" },
    // Most keyboards have the plus sign above the equals sign, and nobody holds Shift to zoom.
    { role: "zoomIn", accelerator: "CmdOrCtrl+=", visible: false, acceleratorWorksWhenHidden: true },
    { role: "zoomOut" },
    separator,
    { role: "togglefullscreen" },
  ],
};
