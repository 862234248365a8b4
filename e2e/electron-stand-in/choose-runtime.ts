import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";

/** The runtime of the desktop tests. */
export interface Runtime {
  readonly executable: string;
  readonly isStandIn: boolean;
  /** For a line in the test's output. */
  readonly name: string;
}

const standIn = path.join(import.meta.dirname, "electron");

/**
 * Returns the installed Electron, otherwise the stand-in. Only looks for files: loading the `electron` package or
 * running its command starts a download.
 */
export function chooseRuntime(projectRoot: string): Runtime {
  const electron = path.join(projectRoot, "node_modules/electron");
  const executable = [overridden(electron), installed(electron)].find((file) => file !== null && existsSync(file));
  if (executable == null || realpathSync(executable) === realpathSync(standIn)) {
    return { executable: standIn, isStandIn: true, name: "the Electron stand-in" };
  }
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(electron, "package.json"), "utf8"));
  return { executable, isStandIn: false, name: `Electron ${version}` };
}

function overridden(electron: string): string | null {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  return folder ? path.join(folder, executableName(electron) ?? "electron") : null;
}

function installed(electron: string): string | null {
  const name = executableName(electron);
  return name === null ? null : path.join(electron, "dist", name);
}

/** Returns the executable's path in the runtime's folder, which Electron's installer writes last. */
function executableName(electron: string): string | null {
  const file = path.join(electron, "path.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}
