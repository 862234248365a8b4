import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { temporaryFolder } from "./harness.ts";

const BLOCK = 64 * 1024;

const run = (program: string, ...args: string[]): void => void execFileSync(program, args, { stdio: "pipe" });

/** A disk of a few megabytes, in memory, that can be filled to the last byte. */
export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @returns why there is none, when the system lets nobody mount */
  static mount(megabytes: number): SmallDisk | string {
    if (process.platform !== "linux") return "only Linux mounts a disk in memory";
    const folder = temporaryFolder();
    try {
      run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder);
      return new SmallDisk(folder);
    } catch (error) {
      fs.rmSync(folder, { recursive: true, force: true });
      return `nothing may be mounted: ${error instanceof Error ? error.message.trim() : error}`;
    }
  }

  get #ballast(): string {
    return path.join(this.folder, "ballast");
  }

  /** Leaves no room at all. */
  fill(): void {
    const file = fs.openSync(this.#ballast, "a");
    try {
      for (;;) fs.writeSync(file, Buffer.alloc(BLOCK));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    } finally {
      fs.closeSync(file);
    }
  }

  /** Takes away what it was filled with. */
  free(): void {
    fs.rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    run("umount", "--lazy", this.folder);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
