import type { FileKind, FileLimits, OpenedFile } from "../../electron/ipc/channels.ts";
import { desktopBridge } from "./desktop-bridge.ts";

const limits: FileLimits = { save: 67_108_864, open: 33_554_432 };
const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;

export type { FileKind, OpenedFile };

/** A file to save for the user. */
export interface FileToSave {
  /** Suggested name: "delivery-<id>.json". */
  readonly name: string;
  readonly content: string | Uint8Array;
  /** "application/json"; unknown bytes when left out. */
  readonly mediaType?: string;
}

/**
 * Saves a file: where the user chooses in the desktop app, in the downloads folder of a browser. Resolves to the file's
 * name, or null if the user cancels; rejects with a sentence when it can't be saved.
 */
export const saveFile = async ({ name, content, mediaType }: FileToSave): Promise<string | null> => {
  const bridge = desktopBridge();
  if (bridge) return bridge.saveFile(name, content);
  const blob = new Blob([typeof content === "string" ? content : new Uint8Array(content)], {
    type: mediaType ?? "application/octet-stream",
  });
  if (blob.size > limits.save) {
    throw new Error(`Not saved: the file is larger than ${mebibytes(limits.save)}. Export less data.`);
  }
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the URL after the click; for how long isn't specified.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return name;
};

/**
 * Asks the user for a file of some kinds (an empty list allows any). Null if the user cancels; rejects with a sentence
 * when the file is larger than 32 MiB or can't be read.
 */
export const openFile = async (kinds: readonly FileKind[]): Promise<OpenedFile | null> => {
  const bridge = desktopBridge();
  if (bridge) return bridge.openFile(kinds);
  const file = await chooseFile(kinds);
  return file && readChosen(file);
};

/** Reads a file that the user chose or dropped; rejects with a sentence when it is too large or can't be read. */
export const readChosen = async (file: File): Promise<OpenedFile> => {
  if (file.size > limits.open) {
    throw new Error(`${file.name} is larger than ${mebibytes(limits.open)}. Choose a smaller one.`);
  }
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
};

const chooseFile = (kinds: readonly FileKind[]): Promise<File | null> =>
  new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = kinds.flatMap(({ extensions }) => extensions.map((extension) => `.${extension}`)).join(",");
    input.addEventListener("change", () => resolve(input.files?.[0] ?? null));
    input.addEventListener("cancel", () => resolve(null));
    input.click();
  });
