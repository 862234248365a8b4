import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Writes a page that redirects to an address. The system opens the page instead of an address with the control token,
 * because every user of a machine can read command lines.
 */
export function writeRedirectFile(folder: string, address: string): string {
  const file = path.join(folder, "open.html");
  const url = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  rmSync(file, { force: true });
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">\n`, { mode: 0o600 });
  return file;
}
