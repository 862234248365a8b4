import path from "node:path";

/**
 * Where everything is kept when nothing is said: the platform's folder for application data. The same for the desktop
 * app, browser mode and the command, so that all three show the same worlds.
 */
export const defaultDataFolder = (
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string => {
  const name = "Integrations Explorer";
  if (platform === "win32") return path.join(env.APPDATA ?? path.join(home, "AppData", "Roaming"), name, "data");
  if (platform === "darwin") return path.join(home, "Library", "Application Support", name, "data");
  return path.join(env.XDG_DATA_HOME || path.join(home, ".local", "share"), "integrations-explorer");
};
