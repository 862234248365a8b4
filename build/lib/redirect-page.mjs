import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isAlive } from "./lock.mjs";

/** The folder of a page contains its process's ID. */
const FOLDER = /^integrations-explorer-open-(\d+)-/;
/** By then, a browser has read the page. */
const READ_AFTER_MS = 60_000;

/**
 * Writes a page that redirects to an address. Only its owner can read the page, but every user of a machine can read
 * command lines, and the address contains the control token. The page is deleted when this process ends, or else by the
 * next one.
 *
 * @param {string} address
 * @param {boolean} stays this process ends before the browser has read it
 * @returns {string} its file
 */
export function redirectPage(address, stays) {
  deleteRead();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `integrations-explorer-open-${process.pid}-`));
  if (!stays) process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "open.html");
  fs.writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${encodeURI(address)}">\n`, {
    mode: 0o600,
  });
  return file;
}

/** Deletes the pages of ended processes. */
function deleteRead() {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(os.tmpdir(), name);
    try {
      if (Date.now() - fs.statSync(folder).mtimeMs > READ_AFTER_MS) fs.rmSync(folder, { recursive: true });
    } catch {
      // The folder belongs to another user.
    }
  }
}
