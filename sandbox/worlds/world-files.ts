import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { worldFileName, worldOfFile } from "../rules/worlds/world-name.ts";
import { Database, type OpenOptions } from "../storage/database.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { fileVersion, findOtherVersion, refuseOtherVersion } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import { syncFile, syncFolder } from "../storage/sync.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { Sharing } from "./sharing.ts";

interface FilesOptions extends OpenOptions {
  /** Left out: the worlds are this machine's alone. */
  readonly sharing?: Pick<Sharing, "holds" | "changing"> | undefined;
}

/** Suffix of unfinished world files; a start deletes them. */
export const UNFINISHED = ".new";
const UNCONFIRMED =
  "The disk does not confirm what is written to it, so this world is closed until it does. Check the disk of the data folder, then try again.";
/** Files that SQLite puts beside an open database, and a crash leaves there. */
const LOG = "-wal";
const suffixes = ["", LOG, "-shm"];

const removeAll = (file: string): void => {
  for (const suffix of suffixes) fs.rmSync(file + suffix, { recursive: true, force: true });
};
const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

let inSchema: readonly string[] | null = null;
/** The tables every world's file has. */
const schemaTables = (): readonly string[] => {
  if (inSchema === null) {
    const empty = new Database(":memory:", { durability: "off" });
    inSchema = empty.tables();
    empty.close();
  }
  return inSchema;
};

/** The first of the tables that a world's file has, and this one has not. */
export const missingTable = (db: Database): string | undefined => {
  const there = new Set(db.tables());
  return schemaTables().find((table) => !there.has(table));
};

/** Folds the log that a crash left into its file, so that the file has all of it by itself. A damaged one stays as it is. */
const foldLog = (file: string): void => {
  if (!fs.existsSync(file) || !fs.existsSync(file + LOG)) return;
  let handle: Sqlite.Database | undefined;
  try {
    handle = new Sqlite(file);
    handle.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (isDiskFailure(error)) throw error;
  } finally {
    handle?.close();
  }
};

/** A crash amid a reset may leave a file that is the checkpoint as well: what is about to be written to is the world's alone. */
const unshare = (file: string): void => {
  for (const shared of [file + LOG, file]) {
    if ((fs.statSync(shared, { throwIfNoEntry: false })?.nlink ?? 0) <= 1) continue;
    const own = file + UNFINISHED;
    fs.copyFileSync(shared, own);
    syncFile(own);
    fs.renameSync(own, shared);
  }
};

/** The files of all worlds, one each. A file is whole and on disk before it gets a world's name. */
export class WorldFiles {
  readonly #folder: string;
  readonly #template: string;
  readonly #options: FilesOptions;
  /** Worlds whose disk failed to confirm a change. */
  readonly #doubted = new Set<string>();

  /** @param template what a new world is a copy of */
  constructor(folder: string, template: string, options: FilesOptions) {
    this.#folder = folder;
    this.#template = template;
    this.#options = options;
    fs.mkdirSync(folder, { recursive: true });
  }

  /** Where a world's file lies. */
  pathOf(name: string): string {
    return path.join(this.#folder, worldFileName(name));
  }

  /** The worlds there are, and those of them that a crash left with a log; clears away what was never finished. */
  look(): { readonly names: string[]; readonly crashed: string[] } {
    const names: string[] = [];
    const logs: string[] = [];
    for (const file of fs.readdirSync(this.#folder)) {
      if (suffixes.some((suffix) => file.endsWith(UNFINISHED + suffix)))
        fs.rmSync(path.join(this.#folder, file), { recursive: true, force: true });
      const logged = file.endsWith(LOG);
      const name = worldOfFile(logged ? file.slice(0, -LOG.length) : file);
      if (name !== null) (logged ? logs : names).push(name);
    }
    const there = new Set(names);
    return { names, crashed: logs.filter((name) => there.has(name)) };
  }

  has(name: string): boolean {
    return fs.existsSync(this.pathOf(name)) && this.#options.sharing?.holds(name) !== false;
  }

  /** Whether another version wrote a world's file: it must not be touched. */
  isOtherVersion(name: string): boolean {
    return findOtherVersion(this.pathOf(name), migrations) !== null;
  }

  /** When a world's file last changed, in milliseconds; null: there is none. */
  changedAt(name: string): number | null {
    return fs.statSync(this.pathOf(name), { throwIfNoEntry: false })?.mtimeMs ?? null;
  }

  /** Bytes that a world's file takes on disk, with its log while it is open. */
  bytesOf(name: string): number {
    const file = this.pathOf(name);
    return sizeOf(file) + sizeOf(file + LOG);
  }

  /** Opens the file of a world that is there, or a copy of it. @throws OtherVersionError */
  open(name: string, file = this.pathOf(name)): Database {
    if (file === this.pathOf(name)) this.mend(name);
    unshare(file);
    // SQLite would take an empty file for a new database.
    if (fileVersion(file) === 0) throw new Error("its file is not a database that can be read");
    const db = new Database(file, this.#options);
    try {
      const missing = missingTable(db);
      if (missing !== undefined) throw new Error(`its file has no table ${missing}`);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /**
   * Makes a world's file anew, replacing one that may be there.
   *
   * @param epoch when the world is made, milliseconds since 1970
   * @throws OtherVersionError
   */
  create(name: string, epoch: number): void {
    refuseOtherVersion(this.pathOf(name), migrations);
    this.put(name, this.fresh(name, epoch));
    this.syncNames();
  }

  /** Makes the file of a fresh world, which can be {@link put} in its place. @param epoch when the world is made, milliseconds since 1970 */
  fresh(name: string, epoch: number): string {
    const unfinished = this.pathOf(name) + UNFINISHED;
    try {
      removeAll(unfinished);
      this.seed(unfinished, epoch);
      if (this.#options.durability === "full") syncFile(unfinished);
      return unfinished;
    } catch (error) {
      removeAll(unfinished);
      throw error;
    }
  }

  /** The disk failed to confirm a change of a world: what can be read of it may not be on disk. */
  doubt(name: string): void {
    this.#doubted.add(name);
  }

  isDoubted(name: string): boolean {
    return this.#doubted.has(name);
  }

  /**
   * Writes the file of a doubted world again, of what its log holds by its checksums: a second sync of the same file would
   * succeed, and say nothing of what the first one lost. @throws NotDurableError
   */
  mend(name: string): void {
    if (!this.#doubted.has(name)) return;
    const target = this.pathOf(name);
    const unfinished = `${target}.mended${UNFINISHED}`;
    try {
      removeAll(unfinished);
      for (const suffix of ["", LOG])
        if (fs.existsSync(target + suffix)) fs.copyFileSync(target + suffix, unfinished + suffix);
      foldLog(unfinished);
      syncFile(unfinished);
      fs.renameSync(unfinished, target);
      for (const suffix of suffixes.slice(1)) fs.rmSync(target + suffix, { force: true });
      this.syncNames();
      this.#doubted.delete(name);
    } catch (error) {
      removeAll(unfinished);
      throw isDiskFailure(error) ? new NotDurableError(error, UNCONFIRMED) : error;
    }
  }

  /** Writes the file of a fresh world, made at a moment, to where there is none. */
  seed(file: string, epoch: number): void {
    fs.copyFileSync(this.#template, file);
    const db = new Database(file, { durability: "off" });
    db.epoch = epoch;
    db.close();
  }

  /** Has something be done with a file that is gone afterwards: a copy of a world, say. */
  async within<T>(name: string, work: (file: string) => Promise<T>): Promise<T> {
    const file = `${this.pathOf(name)}.${randomUUID()}${UNFINISHED}`;
    try {
      return await work(file);
    } finally {
      removeAll(file);
    }
  }

  /**
   * Puts a file that is whole and on disk in the place of a world's, which is as it was where this throws.
   *
   * @throws OtherVersionError
   */
  put(name: string, file: string): void {
    const target = this.pathOf(name);
    try {
      this.mend(name);
      refuseOtherVersion(target, migrations);
      this.#options.sharing?.changing(name);
      // Should this end between the two, the target is still the world it was.
      foldLog(target);
      for (const suffix of suffixes.slice(1)) fs.rmSync(target + suffix, { force: true });
      fs.renameSync(file, target);
    } catch (error) {
      removeAll(file);
      throw error;
    }
  }

  /** Deletes a world's file, which is as it was where this throws. @throws OtherVersionError: such a file is never touched */
  remove(name: string): void {
    const file = this.pathOf(name);
    refuseOtherVersion(file, migrations);
    this.#options.sharing?.changing(name);
    fs.rmSync(file, { recursive: true, force: true });
    try {
      this.discard(name);
    } catch {
      // A log by itself is no world; the next file of that name has it cleared away.
    }
  }

  /** Deletes a world's file where it is no more than a copy. */
  discard(name: string): void {
    removeAll(this.pathOf(name));
  }

  /** Brings to the disk which worlds there are. */
  syncNames(): void {
    if (this.#options.durability === "full") syncFolder(this.#folder);
  }
}
