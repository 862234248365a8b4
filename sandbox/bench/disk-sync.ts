import fs from "node:fs";
import path from "node:path";
import { median } from "./statistics.ts";

const PAGE_BYTES = 4_096;
const SYNCS = 60;

/** Milliseconds that one page takes to the disk of a folder: the least that a durable commit can cost. */
export const measureSync = (folder: string): number => {
  const file = path.join(folder, "sync");
  const descriptor = fs.openSync(file, "w");
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const times = Array.from({ length: SYNCS }, () => {
    const began = performance.now();
    fs.writeSync(descriptor, page);
    fs.fdatasyncSync(descriptor);
    return performance.now() - began;
  });
  fs.closeSync(descriptor);
  fs.rmSync(file);
  return median(times);
};

/** What H would come to if it did nothing more than wait for the disk once before each answer, over one connection. */
export const ratioWithSync = (perSecond: number, syncMs: number): number => 1 / (1 + (syncMs * perSecond) / 1_000);
