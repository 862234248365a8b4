import type { MenuItemConstructorOptions } from "electron";
import type { HistoryStep } from "../window/history.ts";
import type { ZoomStep } from "../window/zoom.ts";

/** What the menu can do beyond the platform's own roles. */
export interface MenuActions {
  newWindow(): void;
  /** Asks for a scenario, reproduction or HAR, and opens it. */
  openDocument(): void;
  openDataFolder(): void;
  showAbout(): void;
  /** Switches notifications about failed deliveries on or off. */
  notifyOfFailures(on: boolean): void;
  /** Looks for a newer version now. */
  checkForUpdates(): void;
  /** Has each start look for a newer version, or none. */
  checkForUpdatesAtStart(on: boolean): void;
  /** Looks for a text in the window used last. */
  find(): void;
  /** Zooms the window used last. */
  zoom(step: ZoomStep): void;
  /** Leads the window used last through what it has shown. */
  step(step: HistoryStep): void;
}

/** What the menu is made for. */
export interface MenuSituation {
  /** A value of `process.platform`. */
  readonly platform: string;
  readonly appName: string;
  readonly notifiesOfFailures: boolean;
  /** Whether each start looks for a newer version; null: this build has no releases to look at. */
  readonly checksForUpdates: boolean | null;
}

/** The entry that switches notices of failed deliveries, which can be switched elsewhere too. */
export const FAILURES_ITEM = "notify-of-failures";

/** The application menu with the usual entries and keys of the platform. */
export function menuTemplate(situation: MenuSituation, actions: MenuActions): MenuItemConstructorOptions[] {
  const { platform, appName, notifiesOfFailures, checksForUpdates } = situation;
  const isMac = platform === "darwin";
  const about: MenuItemConstructorOptions = { id: "about", label: `About ${appName}`, click: actions.showAbout };
  const openDataFolder: MenuItemConstructorOptions = {
    id: "open-data-folder",
    label: "Open data folder",
    click: actions.openDataFolder,
  };
  const failures: MenuItemConstructorOptions = {
    id: FAILURES_ITEM,
    label: "Notify me about failed deliveries",
    type: "checkbox",
    checked: notifiesOfFailures,
    click: ({ checked }) => actions.notifyOfFailures(checked),
  };
  const updates = checksForUpdates === null ? [] : updateEntries(checksForUpdates, actions);
  return [
    ...(isMac ? [macAppMenu(appName, [about, ...updates])] : []),
    {
      label: "&File",
      submenu: [
        { id: "new-window", label: "New window", accelerator: "CmdOrCtrl+N", click: actions.newWindow },
        { id: "open-document", label: "Open…", accelerator: "CmdOrCtrl+O", click: actions.openDocument },
        // Windows has them at the app's icon in the task bar, and Linux nowhere.
        ...(isMac ? [recentDocuments] : []),
        separator,
        openDataFolder,
        failures,
        separator,
        { role: isMac ? "close" : "quit" },
      ],
    },
    editMenu(actions),
    viewMenu(actions),
    goMenu(isMac, actions),
    { role: "windowMenu" },
    { role: "help", submenu: isMac ? [openDataFolder] : [...updates, about] },
  ];
}

const recentDocuments: MenuItemConstructorOptions = {
  role: "recentDocuments",
  submenu: [{ role: "clearRecentDocuments" }],
};

const separator: MenuItemConstructorOptions = { type: "separator" };

const updateEntries = (atStart: boolean, actions: MenuActions): MenuItemConstructorOptions[] => [
  { id: "check-for-updates", label: "Check for updates…", click: actions.checkForUpdates },
  {
    id: "check-for-updates-at-start",
    label: "Check for updates at startup",
    type: "checkbox",
    checked: atStart,
    click: ({ checked }) => actions.checkForUpdatesAtStart(checked),
  },
];

const macAppMenu = (appName: string, ofTheApp: MenuItemConstructorOptions[]): MenuItemConstructorOptions => ({
  label: appName,
  submenu: [
    ...ofTheApp,
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

/** The platform's own entries, and looking for a text: no role knows what of a page is folded or cut short. */
const editMenu = ({ find }: MenuActions): MenuItemConstructorOptions => ({
  role: "editMenu",
  submenu: [
    { role: "undo" },
    { role: "redo" },
    separator,
    { role: "cut" },
    { role: "copy" },
    { role: "paste" },
    { role: "delete" },
    { role: "selectAll" },
    separator,
    { id: "find", label: "Find…", accelerator: "CmdOrCtrl+F", click: find },
  ],
});

/** Zooming is no role here: the roles know neither the sizes a browser offers nor what a window remembers. */
const viewMenu = ({ zoom }: MenuActions): MenuItemConstructorOptions => ({
  label: "&View",
  submenu: [
    { role: "reload" },
    { role: "toggleDevTools" },
    separator,
    { id: "zoom-reset", label: "Actual size", accelerator: "CmdOrCtrl+0", click: () => zoom("reset") },
    { id: "zoom-in", label: "Zoom in", accelerator: "CmdOrCtrl+Plus", click: () => zoom("in") },
    { id: "zoom-out", label: "Zoom out", accelerator: "CmdOrCtrl+-", click: () => zoom("out") },
    // Most keyboards have the plus sign above the equals sign, and nobody holds Shift to zoom.
    hiddenKey("CmdOrCtrl+=", () => zoom("in")),
    hiddenKey("CmdOrCtrl+numadd", () => zoom("in")),
    hiddenKey("CmdOrCtrl+numsub", () => zoom("out")),
    hiddenKey("CmdOrCtrl+num0", () => zoom("reset")),
    separator,
    { role: "togglefullscreen" },
  ],
});

const goMenu = (isMac: boolean, { step }: MenuActions): MenuItemConstructorOptions => ({
  label: "&Go",
  submenu: [
    { id: "back", label: "Back", accelerator: isMac ? "Cmd+[" : "Alt+Left", click: () => step("back") },
    { id: "forward", label: "Forward", accelerator: isMac ? "Cmd+]" : "Alt+Right", click: () => step("forward") },
  ],
});

const hiddenKey = (accelerator: string, click: () => void): MenuItemConstructorOptions => ({
  label: accelerator,
  accelerator,
  click,
  visible: false,
  acceleratorWorksWhenHidden: true,
});
