import fs from "node:fs";

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
