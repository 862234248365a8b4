import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A page that leads a browser to an address. It is opened in the place of the address where that holds the control token:
 * every user of a machine sees what its programs were started with.
 */
export function writeRedirectFile(folder: string, address: string): string {
  const file = path.join(folder, "open.html");
  const url = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  rmSync(file, { force: true });
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">\n`, { mode: 0o600 });
  return file;
}
