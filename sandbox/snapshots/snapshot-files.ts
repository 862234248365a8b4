import fs from "node:fs";
import path from "node:path";
import type { Snapshot } from "../contract/control/snapshot-operations.ts";
import { isSnapshotName, snapshotFolder, worldSnapshotsFolder } from "../rules/worlds/snapshot-name.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import { type FileChanged, syncFile, syncFolder } from "../storage/sync.ts";

/** Snapshot metadata that is readable without opening the file. Times are real, in milliseconds since 1970. */
export interface SnapshotRecord extends Readonly<Omit<Snapshot, "created_at" | "counts" | "clock_offset_seconds">> {
  readonly created_at: number;
  readonly summary: WorldSummary;
  /** Checkpoints only: a restore pins the world again. */
  readonly pinned?: boolean;
}

/** Files of a snapshot. A new one doesn't count as a snapshot until {@link SnapshotFiles.finish}. */
export interface UnfinishedSnapshot {
  readonly folder: string;
  /** Path of the world's file. */
  readonly file: string;
  /** Folder of its pictures. */
  readonly media: string;
}

const ABOUT = "about.json";
const WORLD = "world.sqlite";

export const snapshotPaths = (folder: string): UnfinishedSnapshot => ({
  folder,
  file: path.join(folder, WORLD),
  media: path.join(folder, "media"),
});

/** Returns the size of a folder's direct files in bytes. */
export const folderSize = (folder: string): number => {
  if (!fs.existsSync(folder)) return 0;
  return fs.readdirSync(folder).reduce((sum, file) => sum + fs.statSync(path.join(folder, file)).size, 0);
};

/** Returns an unfinished snapshot's size in bytes, including pictures. */
export const snapshotBytes = ({ file, media }: UnfinishedSnapshot): number =>
  fs.statSync(file).size + folderSize(media);

const listFolders = (folder: string): string[] =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => path.join(folder, name))
    : [];

/** Reads a folder's metadata; null for anything that isn't a snapshot. */
const readRecord = (folder: string): SnapshotRecord | null => {
  try {
    const record = JSON.parse(fs.readFileSync(path.join(folder, ABOUT), "utf8")) as SnapshotRecord;
    return isWorldName(record.world) && isSnapshotName(record.name) ? record : null;
  } catch {
    return null;
  }
};

/**
 * The snapshots of all worlds. Each is a folder with the world's file, its pictures and its metadata. A folder is
 * renamed last, when everything is on disk, so a crash never leaves an incomplete snapshot.
 */
export class SnapshotFiles {
  readonly #folder: string;
  readonly #durable: boolean;
  readonly #changed: FileChanged;
  #known: Map<string, SnapshotRecord> | null = null;

  /** @param durable whether to sync snapshots to disk */
  constructor(folder: string, durable: boolean, changed: FileChanged = () => undefined) {
    this.#folder = folder;
    this.#durable = durable;
    this.#changed = changed;
  }

  #folderOf(world: string, name: string): string {
    return path.join(this.#folder, worldSnapshotsFolder(world), snapshotFolder(name));
  }

  /** Discards the cache, because another process may have changed the files. */
  refresh(): void {
    this.#known = null;
  }

  /** Loaded on first use: most starts need no snapshots. */
  #records(): Map<string, SnapshotRecord> {
    if (this.#known) return this.#known;
    const known = new Map<string, SnapshotRecord>();
    for (const world of listFolders(this.#folder)) {
      for (const folder of listFolders(world)) {
        const record = readRecord(folder);
        if (record) known.set(folder, record);
      }
    }
    this.#known = known;
    return known;
  }

  /** Returns the snapshots of all worlds, newest first. */
  all(): SnapshotRecord[] {
    return [...this.#records().values()].sort((one, other) => other.created_at - one.created_at);
  }

  get(world: string, name: string): SnapshotRecord | undefined {
    return isSnapshotName(name) ? this.#records().get(this.#folderOf(world, name)) : undefined;
  }

  filesOf(world: string, name: string): UnfinishedSnapshot {
    return snapshotPaths(this.#folderOf(world, name));
  }

  /** Syncs a snapshot to disk and gives it an unused name. */
  finish(unfinished: UnfinishedSnapshot, about: Omit<SnapshotRecord, "bytes">): SnapshotRecord {
    const { folder } = unfinished;
    const record = { ...about, bytes: snapshotBytes(unfinished) };
    fs.writeFileSync(path.join(folder, ABOUT), JSON.stringify(record), { mode: 0o600 });
    // The world's file was synced when it was created or closed.
    if (this.#durable) {
      syncFile(path.join(folder, ABOUT));
      syncFolder(folder);
    }
    const target = this.#folderOf(about.world, about.name);
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    // Removes anything there that isn't a snapshot.
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(folder, target);
    try {
      if (this.#durable) for (const one of [path.dirname(target), this.#folder]) syncFolder(one);
    } catch (error) {
      fs.rmSync(target, { recursive: true, force: true });
      throw error;
    }
    this.#records().set(target, record);
    this.#changed(target);
    return record;
  }

  /** Deletes the snapshots of all worlds and any other files beside them. @returns the number of snapshots */
  deleteAll(): number {
    const { size } = this.#records();
    fs.rmSync(this.#folder, { recursive: true, force: true });
    this.#known = null;
    return size;
  }

  /** @returns whether it existed */
  delete(world: string, name: string): boolean {
    if (!this.get(world, name)) return false;
    const target = this.#folderOf(world, name);
    this.#records().delete(target);
    fs.rmSync(target, { recursive: true, force: true });
    this.#changed(target);
    return true;
  }
}
