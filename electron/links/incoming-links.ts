import { app, dialog } from "electron";
import { LINK_SCHEME } from "../app-identity.ts";
import { addressInLink, linkOnCommandLine } from "./deep-link.ts";

/** What comes from other programs: links, and further starts of this one. */
export interface Incoming {
  /** Hands over what came so far, and from now on what comes: an address, or null for a start without a link. */
  deliver(show: (address: string | null) => void): void;
}

/**
 * Listens for links: on this process's own command line, on that of a further start (Windows, Linux), and in macOS'
 * own event, which can come before the app is ready. Whatever is no address of the explorer is refused with a dialog.
 */
export function listenForLinks(argv: readonly string[]): Incoming {
  const waiting: (string | null)[] = [];
  let open = (address: string | null): void => void waiting.push(address);

  function hear(link: string): void {
    const address = addressInLink(link);
    if (address === null) void showRefused(link);
    open(address);
  }

  app.on("open-url", (event, link) => {
    event.preventDefault();
    hear(link);
  });
  app.on("second-instance", (_event, theirs) => {
    const link = linkOnCommandLine(theirs);
    if (link === null) open(null);
    else hear(link);
  });
  const first = linkOnCommandLine(argv);
  if (first !== null) hear(first);

  return {
    deliver(show) {
      open = show;
      for (const address of waiting.splice(0)) show(address);
    },
  };
}

/**
 * Makes this app the one that the system opens links with. Only that of the person's own profile: a second one, for a
 * test or a demonstration, must not claim the links.
 */
export function registerLinkScheme(): void {
  if (app.commandLine.hasSwitch("user-data-dir")) return;
  // Whatever a link holds, after `--` it cannot be read as a switch.
  const args = app.isPackaged ? ["--"] : [app.getAppPath(), "--"];
  app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, args);
}

let showing = false;

/** Shows that the link a person followed leads nowhere; one at a time, since a flood of links must not pile up dialogs. */
async function showRefused(link: string): Promise<void> {
  console.error(
    `A link is not opened, because it leads to no place in the explorer: ${JSON.stringify(shortened(link))}`,
  );
  if (showing) return;
  showing = true;
  try {
    await app.whenReady();
    await dialog.showMessageBox({
      type: "warning",
      title: app.getName(),
      message: "This link doesn’t match any page in the explorer.",
      detail: `${shortened(link)}\n\nIt may be mistyped or from another version. Copy the link again.`,
    });
  } finally {
    showing = false;
  }
}

const shortened = (link: string): string => (link.length > 200 ? `${link.slice(0, 200)}…` : link);
