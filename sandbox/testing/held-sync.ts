import fs from "node:fs";
import { vi } from "vitest";

/** A wait for the disk that was begun, of the log of one world. */
export interface HeldSync {
  readonly descriptor: number;
  /** Ends it: the disk has everything, or failed. */
  readonly end: (error?: Error) => void;
}

/** The file that a descriptor is of. */
const fileOf = (descriptor: number): number => fs.fstatSync(descriptor).ino;

/** Holds every wait for the disk until the test ends it. */
export const holdSyncs = () => {
  const held: HeldSync[] = [];
  const spy = vi.spyOn(fs, "fdatasync").mockImplementation((descriptor, done) => {
    held.push({ descriptor, end: (error) => done(error ?? null) });
  });
  /** The syncs under way of a file's log. */
  const of = (file: string): HeldSync[] => {
    const log = fs.statSync(`${file}-wal`).ino;
    return held.filter(({ descriptor }) => fileOf(descriptor) === log);
  };
  return { held, of, restore: () => spy.mockRestore() };
};

export const diskFailure = (): Error => Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
