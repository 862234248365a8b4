import fs from "node:fs";

/** Is told of a file or folder that is another one now, or none: other machines may have a copy of it. */
export type FileChanged = (file: string) => void;

/** Brings a closed file's content to the disk. */
export const syncFile = (file: string): void => {
  const descriptor = fs.openSync(file, "r+");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

/** Brings the names in a folder to the disk, where the system lets folders be synced at all. */
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
 * Gives a file that is written to no more a second name, without copying it where the file system can. A file that is
 * there already stays: it may be the same one.
 */
export const linkOrCopyFile = (from: string, to: string): void => {
  if (fs.existsSync(to)) return;
  try {
    fs.linkSync(from, to);
  } catch {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  }
};
