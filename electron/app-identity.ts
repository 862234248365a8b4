/**
 * The installed app's ID. The Windows installer sets it on the shortcut, as notifications require. Must not change after
 * the first release: installers find the installed app by it.
 */
export const APP_ID = "dev.integrations-explorer.app";

/** The scheme of links that open the desktop app: `integrations-explorer://jobs/<id>?world=qa`. */
export const LINK_SCHEME = "integrations-explorer";
