import type { MenuItemConstructorOptions } from "electron";
import type { HistoryStep } from "../window/history.ts";
import type { ZoomStep } from "../window/zoom.ts";

/** Actions of the menu beyond the platform's own roles. */
export interface MenuActions {
  newWindow(): void;
  /** Asks for a scenario, reproduction or HAR, and opens it. */
  openDocument(): void;
  openDataFolder(): void;
  showAbout(): void;
  /** Turns notifications of failed deliveries on or off. */
  notifyOfFailures(on: boolean): void;
  checkForUpdates(): void;
  /** Turns the check for a newer version at each start on or off. */
  checkForUpdatesAtStart(on: boolean): void;
  /** Finds text in the last used window. */
  find(): void;
  /** Zooms the last used window. */
  zoom(step: ZoomStep): void;
  /** Navigates the last used window's history. */
  step(step: HistoryStep): void;
}

/** Inputs of the menu. */
interface MenuSituation {
  /** A value of `process.platform`. */
  readonly platform: string;
  readonly appName: string;
  readonly notifiesOfFailures: boolean;
  /** True if each start checks for a newer version; null: this build has no releases. */
  readonly checksForUpdates: boolean | null;
}

/** ID of the notifications' menu item, which other code updates. */
export const FAILURES_ITEM = "notify-of-failures";

/** Builds the application menu with the platform's usual items and shortcuts. */
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
        // Windows shows them in the taskbar; Linux has no place for them.
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

/** The platform's roles, and Find: no role handles folded or truncated text. */
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

/** Zoom isn't a role here: the roles don't use the browser's zoom levels or restore a window's. */
const viewMenu = ({ zoom }: MenuActions): MenuItemConstructorOptions => ({
  label: "&View",
  submenu: [
    { role: "reload" },
    { role: "toggleDevTools" },
    separator,
    { id: "zoom-reset", label: "Actual size", accelerator: "CmdOrCtrl+0", click: () => zoom("reset") },
    { id: "zoom-in", label: "Zoom in", accelerator: "CmdOrCtrl+Plus", click: () => zoom("in") },
    { id: "zoom-out", label: "Zoom out", accelerator: "CmdOrCtrl+-", click: () => zoom("out") },
    // On most keyboards, plus is on the equals key, and people zoom without Shift.
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
