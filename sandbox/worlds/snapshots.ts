import fs from "node:fs";
import Sqlite from "better-sqlite3";
import type { GivenCredentials } from "../config.ts";
import {
  type DestructiveAct,
  WORLD_FORMAT,
  WORLD_FORMAT_VERSION,
  type WorldDocument,
} from "../contract/control/snapshot-rows.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { isSnapshotName, nameFromTime, surplusCheckpoints } from "../rules/snapshot-name.ts";
import { NewerDataError } from "../storage/database.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { DamagedFileError, prepareRestored } from "../storage/restored-world.ts";
import type { SnapshotFiles, SnapshotRecord, UnfinishedSnapshot } from "../storage/snapshot-files.ts";
import { alsoAt } from "../storage/sync.ts";
import { exportFile, exportTables } from "../storage/world-export.ts";
import { BadDocumentError } from "../storage/world-import.ts";
import { NotDurableError } from "../storage/writer.ts";
import { readPictures, writePictures } from "../uploads/media-document.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import { makeImportedFile } from "./imported-world.ts";
import type { World } from "./world.ts";
import type { KeepFile } from "./world-files.ts";
import type { Worlds } from "./worlds.ts";

export interface SnapshotsOptions {
  readonly worlds: Worlds;
  readonly files: SnapshotFiles;
  readonly media: MediaFiles;
  /** This service's own; null: the documented ones. */
  readonly credentials: GivenCredentials | null;
  readonly version: string;
}

/** A world after something was done to it, and the checkpoint that undoes it; null when there is nothing to undo. */
export interface Changed {
  readonly world: World;
  readonly checkpoint: string | null;
}

/** Of one world, checkpoints not counted. */
const MOST_SNAPSHOTS = 100;
/** Larger worlds make no file that another machine could read in one piece. */
const LARGEST_EXPORT_BYTES = 96 * 1024 * 1024;
/** Copied at a time: what others ask meanwhile waits for so many pages. */
const PAGES_AT_ONCE = 1_000;

const badName = (): Refusal => refuse("bad_request", "/name must be 1 to 64 of A–Z a–z 0–9 . _ -");
const noSnapshot = (world: string, name: string): Refusal =>
  refuse("not_found", `/name ${name} is no snapshot of the world ${world}`);
/** What a folder says that cannot be written to, beside what a full or failing disk says. */
const UNWRITABLE: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "ENOTDIR"]);
const asNotDurable = (error: unknown): unknown =>
  isDiskFailure(error) || (error instanceof Error && "code" in error && UNWRITABLE.has(error.code))
    ? new NotDurableError(error)
    : error;

/** Worlds at a moment, to come back to: saved by hand, imported, or made before something is lost. */
export class Snapshots {
  readonly #options: SnapshotsOptions;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** Newest first. @param world null: of all worlds */
  list(world: string | null): SnapshotRecord[] {
    return this.#options.files.all().filter((record) => world === null || record.world === world);
  }

  #about(world: string, name: string): Pick<SnapshotRecord, "name" | "world" | "version" | "created_at"> {
    return { name, world, version: this.#options.version, created_at: Date.now() };
  }

  #freeName(world: string, what: Parameters<typeof nameFromTime>[0]): string {
    return nameFromTime(what, Date.now(), (name) => this.#options.files.get(world, name) !== undefined);
  }

  /** The name for another snapshot of a world, or why there can be none. */
  #nameFor(
    world: string,
    given: string | undefined,
    what: "snapshot" | "imported",
    replace: boolean,
  ): string | Refusal {
    if (given !== undefined && !isSnapshotName(given)) return badName();
    const name = given ?? this.#freeName(world, what);
    if (this.#options.files.get(world, name)) {
      return replace
        ? name
        : refuse("bad_request", `/name ${name} is a snapshot already; delete it first, or replace it`);
    }
    const count = this.list(world).filter(({ kind }) => kind !== "checkpoint").length;
    return count < MOST_SNAPSHOTS
      ? name
      : refuse("unprocessable", `the world ${world} has ${count} snapshots; delete some first`);
  }

  /** Keeps a world as it is, page by page beside everything else that goes on in it. */
  async save(world: World, given: string | undefined, replace: boolean): Promise<SnapshotRecord | Refusal> {
    const name = this.#nameFor(world.name, given, "snapshot", replace);
    if (name instanceof Refusal) return name;
    const { files, media } = this.#options;
    return this.#make(world.name, async (unfinished) => {
      try {
        await world.db.handle.backup(unfinished.file, { progress: () => PAGES_AT_ONCE });
      } catch (error) {
        if (world.closed) return refuse("unprocessable", "the world was reset while it was saved; save it again");
        throw error;
      }
      media.saveTo(world.name, unfinished.media);
      const about = this.#about(world.name, name);
      return files.finish(unfinished, { ...about, kind: "saved", before: null, summary: world.summary() });
    });
  }

  async #make<T>(world: string, run: (unfinished: UnfinishedSnapshot) => Promise<T>): Promise<T> {
    const { files } = this.#options;
    let unfinished: UnfinishedSnapshot | undefined;
    try {
      unfinished = files.begin(world);
      return await run(unfinished);
    } catch (error) {
      throw asNotDurable(error);
    } finally {
      if (unfinished) files.abandon(unfinished);
    }
  }

  /** What keeps a world's file before it is lost, and the name it is kept under; null as long as it is not. */
  #checkpoint(world: World, before: DestructiveAct): { readonly keep: KeepFile; readonly made: () => string | null } {
    const { files, media } = this.#options;
    // In a world in which nothing was acknowledged there is nothing to undo.
    if (!world.db.settled) return { keep: () => undefined, made: () => null };
    const summary = world.summary();
    let name: string | null = null;
    const keep: KeepFile = (file) => {
      try {
        const unfinished = files.begin(world.name);
        for (const suffix of ["", "-wal"])
          if (fs.existsSync(file + suffix)) alsoAt(file + suffix, unfinished.file + suffix);
        media.saveTo(world.name, unfinished.media);
        const about = this.#about(world.name, this.#freeName(world.name, `before-${before}`));
        name = files.finish(unfinished, { ...about, kind: "checkpoint", before, summary }).name;
      } catch (error) {
        throw asNotDurable(error);
      }
    };
    return { keep, made: () => name };
  }

  #forgetSurplus(): void {
    const { files } = this.#options;
    for (const { world, name } of surplusCheckpoints(files.all().filter(({ kind }) => kind === "checkpoint")))
      files.delete(world, name);
  }

  /** Does what cannot be taken back but with a checkpoint. */
  #undoably(world: World, before: DestructiveAct, wanted: boolean, act: (keep: KeepFile) => void): string | null {
    const { keep, made } = wanted ? this.#checkpoint(world, before) : { keep: () => undefined, made: () => null };
    act(keep);
    this.#forgetSurplus();
    return made();
  }

  /** Seeds a world anew. */
  reset(world: World, checkpoint: boolean): Changed {
    const { worlds } = this.#options;
    const made = this.#undoably(world, "reset", checkpoint, (keep) => worlds.reset(world.name, keep));
    return { world: worlds.use(world.name), checkpoint: made };
  }

  /** Ends a world. @returns the checkpoint */
  remove(world: World, checkpoint: boolean): string | null {
    return this.#undoably(world, "delete", checkpoint, (keep) => this.#options.worlds.remove(world.name, keep));
  }

  /** Makes a world again what it was. */
  async restore(worldName: string, name: string, checkpoint: boolean): Promise<Changed | Refusal> {
    const { files, worlds, media } = this.#options;
    if (!files.get(worldName, name)) return noSnapshot(worldName, name);
    const kept = files.filesOf(worldName, name);
    return this.#make(worldName, async ({ file }) => {
      for (const suffix of ["", "-wal"]) {
        if (fs.existsSync(kept.file + suffix))
          await fs.promises.copyFile(kept.file + suffix, file + suffix, fs.constants.COPYFILE_FICLONE);
      }
      try {
        prepareRestored(file, Date.now());
      } catch (error) {
        if (error instanceof NewerDataError)
          return refuse(
            "unprocessable",
            "the snapshot was made by a newer version of Integrations Explorer; update it",
          );
        const damaged = error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
        if (!damaged && !(error instanceof DamagedFileError)) throw error;
        return refuse("unprocessable", `the file of the snapshot ${name} is damaged; delete the snapshot`);
      }
      const put = (keep: KeepFile): void => {
        worlds.replace(worldName, file, keep);
        media.takeFrom(worldName, kept.media);
      };
      const made = this.#undoably(worlds.use(worldName), "restore", checkpoint, put);
      return { world: worlds.use(worldName), checkpoint: made };
    });
  }

  /** @returns whether there was one */
  delete(world: string, name: string): boolean {
    return this.#options.files.delete(world, name);
  }

  /** A world, or a snapshot of it, as a document. */
  export(world: World, name: string | undefined, reveal: boolean): WorldDocument | Refusal {
    const { files, media, version } = this.#options;
    const kept = name === undefined ? null : files.get(world.name, name);
    if (name !== undefined && !kept) return noSnapshot(world.name, name);
    const places = kept ? files.filesOf(world.name, kept.name) : null;
    const folder = places?.media ?? media.folderOf(world.name);
    const bytes = kept?.bytes ?? world.stores.retention.usedBytes();
    if (bytes > LARGEST_EXPORT_BYTES) {
      return refuse(
        "unprocessable",
        `the world is too large for one file (${Math.round(bytes / 1024 / 1024)} MiB, at most ${LARGEST_EXPORT_BYTES / 1024 / 1024}); copy the data folder instead, or keep less of what happened in it`,
      );
    }
    return {
      format: WORLD_FORMAT,
      format_version: WORLD_FORMAT_VERSION,
      version,
      exported_at: new Date().toISOString(),
      world: world.name,
      ...(places ? exportFile(places.file, reveal) : exportTables(world.db.handle, reveal)),
      media: readPictures(folder),
    };
  }

  /** Takes a document in as a snapshot of a world; when anything is wrong with it, nothing of it is kept. */
  async import(world: string, document: WorldDocument, given: string | undefined): Promise<SnapshotRecord | Refusal> {
    if (document.format_version > WORLD_FORMAT_VERSION) {
      return refuse(
        "unprocessable",
        `/document/format_version ${document.format_version} is of a newer version of Integrations Explorer; update it, then import the file`,
      );
    }
    const name = this.#nameFor(world, given, "imported", false);
    if (name instanceof Refusal) return name;
    return this.#make(world, async (unfinished) => {
      const { files, credentials } = this.#options;
      const problem = writePictures(unfinished.media, document.media);
      if (problem !== null) return refuse("unprocessable", problem);
      try {
        const summary = makeImportedFile(unfinished.file, document, credentials, Date.now());
        return files.finish(unfinished, { ...this.#about(world, name), kind: "imported", before: null, summary });
      } catch (error) {
        if (!(error instanceof BadDocumentError)) throw error;
        return refuse("unprocessable", error.message);
      }
    });
  }
}
