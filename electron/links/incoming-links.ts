import path from "node:path";
import { fileURLToPath } from "node:url";
import { app, dialog } from "electron";
import { REPRODUCTION_EXTENSION } from "../../sandbox/contract/scenario-name.ts";
import { LINK_SCHEME } from "../app-identity.ts";
import { addressInLink, linkOnCommandLine } from "./deep-link.ts";

/** Handles requests from other programs. */
export interface Receiver {
  /** Shows an address; null (a start without one) brings the app to the front. */
  show(address: string | null): void;
  open(file: string): void;
}

/** Requests from other programs: links, files and further starts of this app. */
export interface Incoming {
  /** Delivers earlier requests, and all later ones. */
  deliver(receiver: Receiver): void;
}

/**
 * Listens for links and files: on this process's command line, on that of a further start (Windows, Linux), and in
 * macOS events, which can arrive before the app is ready. A dialog refuses invalid addresses.
 */
export function listenForLinks(argv: readonly string[]): Incoming {
  const waiting: ((to: Receiver) => void)[] = [];
  let hand = (over: (to: Receiver) => void): void => void waiting.push(over);

  function hear(link: string): void {
    const address = addressInLink(link);
    if (address === null) void showRefused(link);
    hand(({ show }) => show(address));
  }
  /** @returns whether it contained a link or a file */
  function hearCommandLine(given: readonly string[], folder: string): boolean {
    const link = linkOnCommandLine(given);
    const file = link === null ? fileOnCommandLine(given, folder) : null;
    if (link !== null) hear(link);
    if (file !== null) hand(({ open }) => open(file));
    return link !== null || file !== null;
  }

  app.on("open-url", (event, link) => {
    event.preventDefault();
    hear(link);
  });
  app.on("open-file", (event, file) => {
    event.preventDefault();
    hand(({ open }) => open(file));
  });
  app.on("second-instance", (_event, theirs, folder) => {
    if (!hearCommandLine(theirs, folder)) hand(({ show }) => show(null));
  });
  hearCommandLine(argv, process.cwd());

  return {
    deliver(receiver) {
      hand = (over) => over(receiver);
      for (const over of waiting.splice(0)) over(receiver);
    },
  };
}

/** Returns the reproduction on a command line, which some file managers pass as a URL; null for none. */
function fileOnCommandLine(argv: readonly string[], folder: string): string | null {
  const given = argv.findLast(
    (one) => !one.startsWith("-") && one.toLowerCase().endsWith(`.${REPRODUCTION_EXTENSION}`),
  );
  if (given === undefined) return null;
  return /^file:\/\/\//i.test(given) ? fileURLToPath(given) : path.resolve(folder, given);
}

/**
 * Registers this app for its link scheme. Only for the user's own profile: a second one, for a test or a demonstration,
 * must not claim the links.
 */
export function registerLinkScheme(): void {
  if (app.commandLine.hasSwitch("user-data-dir")) return;
  // After `--`, no link can be parsed as a switch.
  const args = app.isPackaged ? ["--"] : [app.getAppPath(), "--"];
  app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, args);
}

let showing = false;

/** Reports an invalid link; one dialog at a time, so that many links don't pile up dialogs. */
async function showRefused(link: string): Promise<void> {
  console.error("link refused: no such place in the explorer", { link: shortened(link) });
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
