import fs from "node:fs";
import os from "node:os";

/** What the figures were measured on. */
export interface Machine {
  readonly processors: string;
  readonly memoryMegabytes: number;
  readonly system: string;
  readonly node: string;
  /** The file system of the data folders. */
  readonly disk: string;
  /** Processes that wanted to run, over the minute before. */
  readonly load: number;
}

const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  16914836: "tmpfs",
  61267: "ext4",
  1481003842: "xfs",
  2435016766: "btrfs",
  2035054128: "overlay",
  801189825: "zfs",
  26: "apfs",
  1702057286: "fuse",
};

/** The name of a folder's file system, or its number where it has none here. */
export const fileSystemOf = (folder: string): string => {
  const { type } = fs.statfsSync(folder);
  return FILE_SYSTEMS[type] ?? `file system 0x${type.toString(16)}`;
};

export const describeMachine = (folder: string): Machine => ({
  processors: `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim() ?? "unknown"}`,
  memoryMegabytes: Math.round(os.totalmem() / 1024 / 1024),
  system: `${os.type()} ${os.release()} ${os.arch()}`,
  node: process.version,
  disk: fileSystemOf(folder),
  load: os.loadavg()[0] ?? 0,
});

/** The machine in a line, above the table. */
export const machineText = (machine: Machine): string =>
  `${machine.processors}, ${Math.round(machine.memoryMegabytes / 1024)} GB, ${machine.system}, Node ${machine.node}, ` +
  `${machine.disk}, load before the run ${machine.load.toFixed(1)}`;
