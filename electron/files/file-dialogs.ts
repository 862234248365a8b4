import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { type BrowserWindow, dialog, type OpenDialogOptions } from "electron";
import type { FileKind, FileLimits, OpenedFile } from "../ipc/channels.ts";
import { fileName } from "./file-name.ts";

const limits: FileLimits = { save: 67_108_864, open: 33_554_432 };
const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;

/** Asks where to save `content` and writes it. Resolves to the file's name, or to null when cancelled. */
export async function saveFile(
  window: BrowserWindow,
  suggestedName: string,
  content: string | Uint8Array,
): Promise<string | null> {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  if (bytes.byteLength > limits.save) {
    throw new Error(`The file is larger than ${mebibytes(limits.save)} and was not saved. Export less data.`);
  }
  const name = fileName(suggestedName);
  const kind = path.extname(name).slice(1);
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    defaultPath: name,
    properties: ["createDirectory", "showOverwriteConfirmation"],
    filters: [
      ...(kind === "" ? [] : [{ name: kind.toUpperCase(), extensions: [kind] }]),
      { name: "All files", extensions: ["*"] },
    ],
  });
  if (canceled || !filePath) return null;
  const written = path.basename(filePath);
  await writeFile(filePath, bytes).catch((error: unknown) => {
    throw new Error(`Can’t write ${written} (${reason(error)}). Choose another folder or free some space.`);
  });
  return written;
}

/** Asks for a file of these kinds (none: any); null when cancelled. */
export async function openFile(window: BrowserWindow, kinds: readonly FileKind[]): Promise<OpenedFile | null> {
  const chosen = await chooseFile(window, kinds);
  return chosen === null ? null : readOpened(chosen);
}

/** Asks for a file's path of these kinds; without a window, in a separate dialog. Null when cancelled. */
export async function chooseFile(
  window: BrowserWindow | undefined,
  kinds: readonly FileKind[],
): Promise<string | null> {
  const options: OpenDialogOptions = {
    properties: ["openFile"],
    filters: kinds.map(({ name, extensions }) => ({ name, extensions: [...extensions] })),
  };
  const dialogResult = window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options);
  const { canceled, filePaths } = await dialogResult;
  return canceled ? null : (filePaths[0] ?? null);
}

/** Reads a file that the user opened; rejects with a sentence when it's too large or unreadable. */
export async function readOpened(file: string): Promise<OpenedFile> {
  const name = path.basename(file);
  const bytes = await readLimited(file, limits.open).catch((error: unknown) => {
    throw new Error(`Can’t read ${name} (${reason(error)}). Choose a file you have access to.`);
  });
  if (bytes === null) {
    throw new Error(`${name} isn’t a file, or is larger than ${mebibytes(limits.open)}. Choose a smaller file.`);
  }
  return { name, bytes };
}

/** Returns a file's bytes; null when it exceeds `most` bytes, or is a pipe or device that may never end. */
async function readLimited(file: string, most: number): Promise<Uint8Array | null> {
  const found = await stat(file);
  return found.isFile() && found.size <= most ? readFile(file) : null;
}

const reason = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);
