import path from "node:path";
import { parseArgs } from "node:util";

/** What a person can say about a start of the desktop app. */
export interface DesktopOptions {
  /** Folder of the service's files, absolute. */
  readonly dataFolder: string;
  /** Whether the person named it; else it is the usual one. */
  readonly isChosen: boolean;
}

/**
 * Reads the command line and the environment; the only place of the desktop app that does. `--data-folder` (or `--data`,
 * its name in the headless service) wins over `INTEGRATIONS_EXPLORER_DATA`, which wins over the usual folder.
 */
export function readDesktopOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  usualFolder: string,
): DesktopOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: { "data-folder": { type: "string" }, data: { type: "string" } },
    // Chromium's and Electron's own switches stand on the same command line, so an unknown one is no mistake here.
    strict: false,
  });
  const given = [values["data-folder"], values.data, env.INTEGRATIONS_EXPLORER_DATA].find(isFolderName);
  return given === undefined
    ? { dataFolder: usualFolder, isChosen: false }
    : { dataFolder: path.resolve(given), isChosen: true };
}

const isFolderName = (value: unknown): value is string => typeof value === "string" && value !== "";
