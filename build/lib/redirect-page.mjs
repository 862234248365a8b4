import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isAlive } from "./lock.mjs";

/** A page is in a folder that is named after its process. */
const FOLDER = /^integrations-explorer-open-(\d+)-/;
/** A browser has read the page long before. */
const READ_AFTER_MS = 60_000;

/**
 * A page that leads to an address, which its owner alone can read: the address holds the control token, and what a
 * program is started with can be seen by every user of a machine. The page goes when this process ends, and otherwise
 * with the next one.
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

/** Deletes the pages of processes that have ended. */
function deleteRead() {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(os.tmpdir(), name);
    try {
      if (Date.now() - fs.statSync(folder).mtimeMs > READ_AFTER_MS) fs.rmSync(folder, { recursive: true });
    } catch {
      // It is another user's.
    }
  }
}
