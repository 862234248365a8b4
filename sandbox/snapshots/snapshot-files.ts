import fs from "node:fs";
import path from "node:path";
import type { Snapshot } from "../contract/control/snapshot-operations.ts";
import { isSnapshotName, snapshotFolder, worldSnapshotsFolder } from "../rules/worlds/snapshot-name.ts";
import { isWorldName } from "../rules/worlds/world-name.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import { type FileChanged, syncFile, syncFolder } from "../storage/sync.ts";

/** What is known of a snapshot without opening it. Times are real, milliseconds since 1970. */
export interface SnapshotRecord extends Readonly<Omit<Snapshot, "created_at" | "counts" | "clock_offset_seconds">> {
  readonly created_at: number;
  readonly summary: WorldSummary;
  /** Of a checkpoint: the world was pinned, and is again when this brings it back. */
  readonly pinned?: boolean;
}

/** The files of a snapshot, or of one that is being made: it is none until {@link SnapshotFiles.finish}. */
export interface UnfinishedSnapshot {
  readonly folder: string;
  /** Where the world's file belongs. */
  readonly file: string;
  /** Where its pictures belong. */
  readonly media: string;
}

const ABOUT = "about.json";
const WORLD = "world.sqlite";

/** Where the files of a snapshot lie in its folder. */
export const filesIn = (folder: string): UnfinishedSnapshot => ({
  folder,
  file: path.join(folder, WORLD),
  media: path.join(folder, "media"),
});

/** What the files right in a folder take on disk. */
export const folderSize = (folder: string): number => {
  if (!fs.existsSync(folder)) return 0;
  return fs.readdirSync(folder).reduce((sum, file) => sum + fs.statSync(path.join(folder, file)).size, 0);
};

/** What an unfinished snapshot takes on disk, pictures included. */
export const snapshotBytes = ({ file, media }: UnfinishedSnapshot): number =>
  fs.statSync(file).size + folderSize(media);

const foldersIn = (folder: string): string[] =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => path.join(folder, name))
    : [];

/** What a folder says of its snapshot; null where somebody put something else there. */
const recordIn = (folder: string): SnapshotRecord | null => {
  try {
    const record = JSON.parse(fs.readFileSync(path.join(folder, ABOUT), "utf8")) as SnapshotRecord;
    return isWorldName(record.world) && isSnapshotName(record.name) ? record : null;
  } catch {
    return null;
  }
};

/**
 * The snapshots of all worlds: a folder each with the world's file, its pictures and what is known of it. A folder gets
 * its name when all of it is on disk, so that what a crash leaves half made is never taken for a snapshot.
 */
export class SnapshotFiles {
  readonly #folder: string;
  readonly #durable: boolean;
  readonly #changed: FileChanged;
  #known: Map<string, SnapshotRecord> | null = null;

  /** @param durable whether a snapshot is on disk when it is there */
  constructor(folder: string, durable: boolean, changed: FileChanged = () => undefined) {
    this.#folder = folder;
    this.#durable = durable;
    this.#changed = changed;
  }

  #folderOf(world: string, name: string): string {
    return path.join(this.#folder, worldSnapshotsFolder(world), snapshotFolder(name));
  }

  /** Somebody else may have put files here, or taken them away. */
  look(): void {
    this.#known = null;
  }

  /** Looked for when somebody first asks: most starts need none. */
  #records(): Map<string, SnapshotRecord> {
    if (this.#known) return this.#known;
    const known = new Map<string, SnapshotRecord>();
    for (const world of foldersIn(this.#folder)) {
      for (const folder of foldersIn(world)) {
        const record = recordIn(folder);
        if (record) known.set(folder, record);
      }
    }
    this.#known = known;
    return known;
  }

  /** Of all worlds, newest first. */
  all(): SnapshotRecord[] {
    return [...this.#records().values()].sort((one, other) => other.created_at - one.created_at);
  }

  get(world: string, name: string): SnapshotRecord | undefined {
    return this.#records().get(this.#folderOf(world, name));
  }

  /** Where a snapshot's world and pictures lie. */
  filesOf(world: string, name: string): UnfinishedSnapshot {
    return filesIn(this.#folderOf(world, name));
  }

  /** Brings a snapshot to the disk and gives it its name, which no other has. */
  finish(unfinished: UnfinishedSnapshot, about: Omit<SnapshotRecord, "bytes">): SnapshotRecord {
    const { folder } = unfinished;
    const record = { ...about, bytes: snapshotBytes(unfinished) };
    fs.writeFileSync(path.join(folder, ABOUT), JSON.stringify(record), { mode: 0o600 });
    // The world's file is on disk: whoever made or closed it saw to that.
    if (this.#durable) {
      syncFile(path.join(folder, ABOUT));
      syncFolder(folder);
    }
    const target = this.#folderOf(about.world, about.name);
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    // What lies there and is no snapshot.
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

  /** Deletes the snapshots of all worlds, also what lies there and is none. @returns how many there were */
  deleteAll(): number {
    const { size } = this.#records();
    fs.rmSync(this.#folder, { recursive: true, force: true });
    this.#known = null;
    return size;
  }

  /** @returns whether there was one */
  delete(world: string, name: string): boolean {
    const target = this.#folderOf(world, name);
    if (!this.#records().delete(target)) return false;
    fs.rmSync(target, { recursive: true, force: true });
    this.#changed(target);
    return true;
  }
}
