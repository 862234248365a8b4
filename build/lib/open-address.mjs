import { spawn } from "node:child_process";

/**
 * Opens an address in the default browser where there is one. Never fails and never waits: the address has been
 * printed, which is enough.
 *
 * @param {string} address
 * @param {{ platform?: NodeJS.Platform, env?: NodeJS.ProcessEnv }} [where]
 */
export function openInBrowser(address, { platform = process.platform, env = process.env } = {}) {
  const opener = openerFor(platform, env);
  if (opener === null) return;
  const [program, ...args] = opener;
  const child = spawn(program, [...args, address], { stdio: "ignore", detached: true, windowsHide: true, env });
  child.once("error", () => {});
  child.unref();
}

/**
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @returns {[string, ...string[]] | null} null: nowhere to open it, or `BROWSER=none` asks not to
 */
export function openerFor(platform, env) {
  if (env.BROWSER === "none") return null;
  if (platform === "darwin") return ["open"];
  // `start` would have to go through cmd.exe, which reads `&` and `^` in an address as its own.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : null;
}
