import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly unpacked?: boolean;
  readonly offset?: string;
  readonly size?: number;
}

/** Returns the paths of all files in an archive, with their metadata. */
export function readArchive(file: string): {
  readonly entries: ReadonlyMap<string, Entry>;
  bytesOf(name: string): Buffer;
} {
  const archive = readFileSync(file);
  const start = 8 + archive.readUInt32LE(4);
  const header: Entry = JSON.parse(archive.toString("utf8", 16, 16 + archive.readUInt32LE(12)));
  const entries = new Map<string, Entry>();
  const visit = (folder: Entry, under: string): void => {
    for (const [name, entry] of Object.entries(folder.files ?? {})) {
      if (entry.files) visit(entry, `${under}${name}/`);
      else entries.set(`${under}${name}`, entry);
    }
  };
  visit(header, "");
  const bytesOf = (name: string): Buffer => {
    const { offset = "0", size = 0 } = entries.get(name) ?? {};
    return archive.subarray(start + Number(offset), start + Number(offset) + size);
  };
  return { entries, bytesOf };
}

/** Returns the archive of the app that is packaged with an executable; null for a bare runtime. */
export function findArchive(executable: string): string | null {
  const file = path.join(path.dirname(executable), "resources/app.asar");
  return existsSync(file) ? file : null;
}

/**
 * Returns the folder of the app in an archive. Electron reads the archive in place; here it is unpacked to a temporary
 * folder, away from the checkout, so that the app finds only packaged files.
 */
export function unpackApp(file: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "packaged-app-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { entries, bytesOf } = readArchive(file);
  for (const [name, { unpacked }] of entries) {
    const target = path.join(folder, name);
    mkdirSync(path.dirname(target), { recursive: true });
    if (unpacked) cpSync(path.join(`${file}.unpacked`, name), target);
    else writeFileSync(target, bytesOf(name));
  }
  return folder;
}
