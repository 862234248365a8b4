import fs from "node:fs";

/** Called when a file or folder changes or is deleted, because other machines may have a copy. */
export type FileChanged = (file: string) => void;

/** Flushes a closed file to disk. */
export const syncFile = (file: string): void => {
  const descriptor = fs.openSync(file, "r+");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

/** Flushes a folder's entries to disk. Windows can't sync folders. */
export const syncFolder = (folder: string): void => {
  if (process.platform === "win32") return;
  const descriptor = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

/**
 * Gives an immutable file a second name, as a link where the file system supports it. An existing target stays: it may
 * be the same file.
 */
export const linkOrCopyFile = (from: string, to: string): void => {
  if (fs.existsSync(to)) return;
  try {
    fs.linkSync(from, to);
  } catch {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  }
};
