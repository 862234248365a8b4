import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { temporaryFolder } from "./harness.ts";

const MEBIBYTE = 1024 * 1024;

const run = (program: string, ...args: string[]): void => void execFileSync(program, args, { stdio: "pipe" });

/** An in-memory disk of a few megabytes, which tests fill completely. */
export class SmallDisk {
  readonly folder: string;
  readonly #bytes: number;

  private constructor(folder: string, bytes: number) {
    this.folder = folder;
    this.#bytes = bytes;
  }

  /** @returns the reason when mounting is not permitted */
  static mount(megabytes: number): SmallDisk | string {
    if (process.platform !== "linux") return "only Linux mounts a disk in memory";
    const folder = temporaryFolder();
    try {
      run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder);
      return new SmallDisk(folder, megabytes * MEBIBYTE);
    } catch (error) {
      fs.rmSync(folder, { recursive: true, force: true });
      return `nothing may be mounted: ${error instanceof Error ? error.message.trim() : error}`;
    }
  }

  /** Removes all free space by shrinking the disk to its content. @throws when other writes keep growing it */
  fill(tries = 20): void {
    const { blocks, bfree, bsize } = fs.statfsSync(this.folder);
    try {
      this.#resize(Math.max(blocks - bfree, 1) * bsize);
    } catch (error) {
      if (tries === 1) throw error;
      this.fill(tries - 1);
    }
  }

  /** Restores the original size. */
  free(): void {
    this.#resize(this.#bytes);
  }

  #resize(bytes: number): void {
    run("mount", "-o", `remount,size=${bytes}`, this.folder);
  }

  remove(): void {
    run("umount", "--lazy", this.folder);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
