import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";

/** What the desktop tests run the app on. */
export interface Runtime {
  readonly executable: string;
  readonly isStandIn: boolean;
  /** For a line in the test's output. */
  readonly name: string;
}

const standIn = path.join(import.meta.dirname, "electron");

/**
 * The real Electron where it is installed, the stand-in otherwise. Looks at files alone: loading the `electron` package
 * or running its command to find out starts a download.
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

/** Where the executable lies inside the runtime's folder; Electron's installer writes it down when it is done. */
function executableName(electron: string): string | null {
  const file = path.join(electron, "path.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}
