import { type BrowserWindow, clipboard, Menu, type MenuItemConstructorOptions, shell } from "electron";
import { DEFAULT_WORLD } from "../../sandbox/rules/worlds/world-name.ts";
import { linkTo } from "../links/deep-link.ts";
import { addressInUrl, withWorld, worldInAddress } from "../links/explorer-address.ts";
import { canNavigate, canOpenExternally } from "../window/navigation-rule.ts";

/** The element under the pointer: Electron's parameters that select the items. */
export interface Pointed {
  /** Complete URL of a link; empty for none. */
  readonly linkURL: string;
  readonly selectionText: string;
  readonly isEditable: boolean;
}

/** The menu's actions. `address` is in the explorer, `url` on the web. */
interface ContextActions {
  openWindow(address: string): void;
  copyLink(address: string): void;
  openOutside(url: string): void;
  copyAddress(url: string): void;
}

/**
 * The context menu: link actions on a link, text actions in text; elsewhere, link actions for the current page, at
 * `here`.
 */
export function contextMenuTemplate(
  { linkURL, selectionText, isEditable }: Pointed,
  here: string,
  explorerOrigin: string,
  actions: ContextActions,
): MenuItemConstructorOptions[] {
  if (isEditable) return [{ role: "cut" }, { role: "copy" }, { role: "paste" }, separator, { role: "selectAll" }];
  const inside = canNavigate(linkURL, explorerOrigin) ? addressInUrl(linkURL) : null;
  const link = inside === null ? outsideLink(linkURL, actions) : insideLink(inside, "link", actions);
  const text: MenuItemConstructorOptions[] = selectionText.trim() === "" ? [] : [{ role: "copy" }];
  if (link.length === 0 && text.length === 0) return insideLink(here, "link to this place", actions);
  return link.length > 0 && text.length > 0 ? [...link, separator, ...text] : [...link, ...text];
}

const separator: MenuItemConstructorOptions = { type: "separator" };

const insideLink = (address: string, what: string, actions: ContextActions): MenuItemConstructorOptions[] => [
  { id: "open-in-new-window", label: "Open in new window", click: () => actions.openWindow(address) },
  { id: "copy-link", label: `Copy ${what}`, click: () => actions.copyLink(address) },
];

const outsideLink = (url: string, actions: ContextActions): MenuItemConstructorOptions[] =>
  canOpenExternally(url)
    ? [
        { id: "open-in-browser", label: "Open in browser", click: () => actions.openOutside(url) },
        { id: "copy-address", label: "Copy address", click: () => actions.copyAddress(url) },
      ]
    : [];

/** Attaches the context menu to a window. `here` returns the window's address including its world. */
export function attachContextMenu(
  window: BrowserWindow,
  explorerOrigin: string,
  here: () => string,
  openWindow: (address: string) => void,
): void {
  const copy = (text: string) => void clipboard.writeText(text);
  const actions: ContextActions = {
    openWindow,
    // Copies an app link with the world, because the service's port may change later.
    copyLink: (address) => copy(linkTo(withWorld(address, worldInAddress(here()) ?? DEFAULT_WORLD))),
    openOutside: (url) => void shell.openExternal(url),
    copyAddress: copy,
  };
  window.webContents.on("context-menu", (_event, pointed) => {
    const template = contextMenuTemplate(pointed, here(), explorerOrigin, actions);
    Menu.buildFromTemplate(template).popup({ window });
  });
}
