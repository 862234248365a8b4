import fs from "node:fs";
import { vi } from "vitest";

/** A pending sync of a world's log. */
interface PendingSync {
  readonly descriptor: number;
  /** Completes the sync, or makes it fail. */
  readonly end: (error?: Error) => void;
}

/** Returns the inode of an open file. */
const fileInode = (descriptor: number): number => fs.fstatSync(descriptor).ino;

/** Delays every sync until the test completes it. */
export const delaySyncs = () => {
  const held: PendingSync[] = [];
  const spy = vi.spyOn(fs, "fdatasync").mockImplementation((descriptor, done) => {
    held.push({ descriptor, end: (error) => done(error ?? null) });
  });
  /** Returns the pending syncs of a file's log. */
  const of = (file: string): PendingSync[] => {
    const log = fs.statSync(`${file}-wal`).ino;
    return held.filter(({ descriptor }) => fileInode(descriptor) === log);
  };
  return { held, of, restore: () => spy.mockRestore() };
};

export const diskFailure = (): Error => Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
