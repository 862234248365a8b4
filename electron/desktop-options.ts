import path from "node:path";
import { parseArgs } from "node:util";

/** Options of a start. */
export interface DesktopOptions {
  /** Folder of the service's files, absolute. */
  readonly dataFolder: string;
  /** True if the user chose the folder. */
  readonly isChosen: boolean;
}

/**
 * Reads the command line and the environment; nothing else in the desktop app does. `--data-folder` (or `--data`, its
 * name in the headless service) takes precedence over `INTEGRATIONS_EXPLORER_DATA`, then the default folder.
 */
export function readDesktopOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  usualFolder: string,
): DesktopOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: { "data-folder": { type: "string" }, data: { type: "string" } },
    // Chromium's and Electron's own switches share the command line, so unknown options are allowed.
    strict: false,
  });
  const given = [values["data-folder"], values.data, env.INTEGRATIONS_EXPLORER_DATA].find(isFolderName);
  return given === undefined
    ? { dataFolder: usualFolder, isChosen: false }
    : { dataFolder: path.resolve(given), isChosen: true };
}

const isFolderName = (value: unknown): value is string => typeof value === "string" && value !== "";
