/** What the systems know the installed app by. The installer for Windows gives it to the shortcut, which notifications need. */
export const APP_ID = "dev.integrations-explorer.app";

/** The scheme of links that open the desktop app: `integrations-explorer://jobs/<id>?world=qa`. */
export const LINK_SCHEME = "integrations-explorer";
