import { type BrowserWindow, clipboard, Menu, type MenuItemConstructorOptions, shell } from "electron";
import { DEFAULT_WORLD } from "../../sandbox/rules/worlds/world-name.ts";
import { linkTo } from "../links/deep-link.ts";
import { addressOf, namingWorld, worldNamedIn } from "../links/explorer-address.ts";
import { mayNavigate, mayOpenOutside } from "../window/navigation-rule.ts";

/** What was under the pointer: the part of Electron's parameters that decides what can be done. */
export interface Pointed {
  /** The whole address of a link; empty when there is none. */
  readonly linkURL: string;
  readonly selectionText: string;
  readonly isEditable: boolean;
}

/** What the menu does. `address` is one of the explorer, `url` one of the web. */
export interface ContextActions {
  openWindow(address: string): void;
  copyLink(address: string): void;
  openOutside(url: string): void;
  copyAddress(url: string): void;
}

/**
 * The menu of the right mouse button. On a link: what can be done with it; in text: the usual; elsewhere: the same for
 * the place itself, at `here`.
 */
export function contextMenuTemplate(
  { linkURL, selectionText, isEditable }: Pointed,
  here: string,
  explorerOrigin: string,
  actions: ContextActions,
): MenuItemConstructorOptions[] {
  if (isEditable) return [{ role: "cut" }, { role: "copy" }, { role: "paste" }, separator, { role: "selectAll" }];
  const inside = mayNavigate(linkURL, explorerOrigin) ? addressOf(linkURL) : null;
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
  mayOpenOutside(url)
    ? [
        { id: "open-in-browser", label: "Open in browser", click: () => actions.openOutside(url) },
        { id: "copy-address", label: "Copy address", click: () => actions.copyAddress(url) },
      ]
    : [];

/**
 * Gives a window its menu of the right mouse button; without one, a link could not even be copied. `here` says the
 * address it shows, its world named.
 */
export function attachContextMenu(
  window: BrowserWindow,
  explorerOrigin: string,
  here: () => string,
  openWindow: (address: string) => void,
): void {
  const copy = (text: string) => void clipboard.writeText(text);
  const actions: ContextActions = {
    openWindow,
    // A link for another day, when the port may be another, and into the world that is in sight now.
    copyLink: (address) => copy(linkTo(namingWorld(address, worldNamedIn(here()) ?? DEFAULT_WORLD))),
    openOutside: (url) => void shell.openExternal(url),
    copyAddress: copy,
  };
  window.webContents.on("context-menu", (_event, pointed) => {
    const template = contextMenuTemplate(pointed, here(), explorerOrigin, actions);
    Menu.buildFromTemplate(template).popup({ window });
  });
}
