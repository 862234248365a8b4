import type { AppUpdater } from "electron-updater";

/** What the person is asked and shown. */
export interface Conversation {
  /** Shows a newer version with its notes. Resolves to whether to download it. */
  offer(version: string, notes: string): Promise<boolean>;
  /** Resolves to whether to restart for a downloaded version; otherwise it is installed at the next quit. */
  offerRestart(version: string): Promise<boolean>;
  showNewest(): void;
  showCannotUpdate(): void;
  showProblem(sentence: string): void;
}

/** Updates of the app: only on request, and never during work. */
export interface Updates {
  /**
   * Looks for a newer release and offers it. It is installed when the person quits, or chooses to restart.
   *
   * @param isAsked the person asked for this check, and hears also that there is nothing new
   */
  check(isAsked: boolean): Promise<void>;
}

/**
 * @param load the updater of this installation; null: it has none
 * @param restart quits, installs what is downloaded, and starts again
 * @param through the proxy to the releases, as a message says it; empty: none
 */
export function createUpdates(
  load: () => Promise<AppUpdater | null>,
  person: Conversation,
  restart: (updater: AppUpdater) => void,
  through = "",
): Updates {
  let underWay: Promise<void> | null = null;

  async function checkAndOffer(isAsked: boolean): Promise<void> {
    let isShown = isAsked;
    try {
      const updater = await load();
      const found = (await updater?.checkForUpdates()) ?? null;
      if (updater === null || found === null) {
        if (isAsked) person.showCannotUpdate();
      } else if (!found.isUpdateAvailable) {
        if (isAsked) person.showNewest();
      } else {
        const { version, releaseNotes } = found.updateInfo;
        if (!(await person.offer(version, typeof releaseNotes === "string" ? releaseNotes : ""))) return;
        isShown = true;
        await updater.downloadUpdate();
        if (await person.offerRestart(version)) restart(updater);
      }
    } catch (error) {
      console.error(`The app is not updated: ${String(error)}`);
      if (isShown) person.showProblem(sentenceOf(error, through));
    }
  }

  return {
    check(isAsked) {
      underWay ??= checkAndOffer(isAsked).finally(() => {
        underWay = null;
      });
      return underWay;
    },
  };
}

function sentenceOf(error: unknown, through: string): string {
  if (!(error instanceof Error)) return String(error);
  // What is downloaded says it in its message alone.
  if (("statusCode" in error && error.statusCode === 404) || error.message.includes("status 404"))
    return "The release, or a part of it, wasn’t found. Try again later.";
  if ("code" in error && error.code === "ERR_CHECKSUM_MISMATCH")
    return "The downloaded file isn’t the one that was signed. It was deleted.";
  const network = /^net::(ERR_\w+)|^connect (\w+)/.exec(error.message);
  if (network)
    return `The releases can’t be reached${through} (${network[1] ?? network[2]}). Check the connection${through && " and the proxy"}, then try again.`;
  return error.message;
}
