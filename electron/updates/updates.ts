import type { AppUpdater } from "electron-updater";

/** Dialogs with the user. */
export interface Conversation {
  /** Shows a newer version with its notes. Resolves to whether to download it. */
  offer(version: string, notes: string): Promise<boolean>;
  /** Resolves to whether to restart now; otherwise, the next quit installs the version. */
  offerRestart(version: string): Promise<boolean>;
  showNewest(): void;
  showCannotUpdate(): void;
  showProblem(sentence: string): void;
}

/** Updates of the app: only on request, and never during work. */
export interface Updates {
  /**
   * Checks for a newer release and offers it. A quit or a restart installs it.
   *
   * @param isAsked the user requested the check, so also report that there is nothing new
   */
  check(isAsked: boolean): Promise<void>;
}

/**
 * @param load the installation's updater; null: none
 * @param restart quits, installs the download, and starts again
 * @param through the proxy in messages; empty: none
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
      console.error("update failed", error);
      if (isShown) person.showProblem(errorSentence(error, through));
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

function errorSentence(error: unknown, through: string): string {
  if (!(error instanceof Error)) return String(error);
  // Errors of a download contain the status only in their message.
  if (("statusCode" in error && error.statusCode === 404) || error.message.includes("status 404"))
    return "The release, or a part of it, wasn’t found. Try again later.";
  if ("code" in error && error.code === "ERR_CHECKSUM_MISMATCH")
    return "The downloaded file isn’t the one that was signed. It was deleted.";
  const network = /^net::(ERR_\w+)|^connect (\w+)/.exec(error.message);
  if (network)
    return `The releases can’t be reached${through} (${network[1] ?? network[2]}). Check the connection${through && " and the proxy"}, then try again.`;
  return error.message;
}
