import { readFileSync, statSync } from "node:fs";
import path from "node:path";

/** A parsed command line like Electron's: `electron [switches] app [arguments]`. Everything after `--` is the app's. */
interface CommandLine {
  /** Every `--name` or `--name=value` before `--`. */
  readonly switches: Map<string, string>;
  /** Files of `-r`, loaded before the app. */
  readonly preloads: readonly string[];
  /** The first argument that is not a switch: the folder of the app's package.json, for an unpackaged app. */
  readonly appFolder: string | null;
}

export function readCommandLine(args: readonly string[]): CommandLine {
  const switches = new Map<string, string>();
  const preloads: string[] = [];
  let appFolder: string | null = null;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") break;
    const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (arg === "-r" || arg === "--require") preloads.push(path.resolve(args[++index] ?? ""));
    else if (name !== undefined) switches.set(name, value ?? "");
    else appFolder ??= path.resolve(arg);
  }
  return { switches, preloads, appFolder };
}

/** The app's package.json. */
export interface AppPackage {
  readonly name: string;
  readonly version: string;
  /** The main script, absolute. */
  readonly main: string;
}

export function readAppPackage(appFolder: string): AppPackage {
  if (!statSync(appFolder).isDirectory()) throw new Error(`${appFolder} is not a folder with a package.json.`);
  const manifest: Record<"name" | "productName" | "version" | "main", string> = JSON.parse(
    readFileSync(path.join(appFolder, "package.json"), "utf8"),
  );
  return {
    name: manifest.productName ?? manifest.name,
    version: manifest.version,
    main: path.join(appFolder, manifest.main),
  };
}
