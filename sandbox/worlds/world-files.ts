import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { parseWorldFile, worldFileName } from "../rules/worlds/world-name.ts";
import { Database, type OpenOptions } from "../storage/database.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { fileVersion, findOtherVersion, refuseOtherVersion } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import { SettingsStore } from "../storage/settings-store.ts";
import { syncFile, syncFolder } from "../storage/sync.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { Sharing } from "./sharing.ts";

interface FilesOptions extends OpenOptions {
  /** Absent on a single machine. */
  readonly sharing?: Pick<Sharing, "owns" | "changing"> | undefined;
}

/** Suffix of unfinished world files, which the next start deletes. */
const UNFINISHED = ".new";
const UNCONFIRMED =
  "The disk does not confirm what is written to it, so this world is closed until it does. Check the disk of the data folder, then try again.";
/** Files SQLite keeps beside an open database. They remain after a crash. */
const LOG = "-wal";
const suffixes = ["", LOG, "-shm"];
/** One expression, because a start tests it for the files of thousands of worlds. */
const UNFINISHED_FILE = /\.new(?:-wal|-shm)?$/;

const removeAll = (file: string): void => {
  for (const suffix of suffixes) fs.rmSync(file + suffix, { recursive: true, force: true });
};
const fileBytes = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

let cachedSchemaTables: readonly string[] | null = null;
/** Tables of every world's file. */
const schemaTables = (): readonly string[] => {
  if (cachedSchemaTables === null) {
    const empty = new Database(":memory:", { durability: "off" });
    cachedSchemaTables = empty.tables();
    empty.close();
  }
  return cachedSchemaTables;
};

/** First required table that a file lacks. */
export const findMissingTable = (db: Database): string | undefined => {
  const tables = new Set(db.tables());
  return schemaTables().find((table) => !tables.has(table));
};

/** Checkpoints a WAL left by a crash, so that the file alone is complete. A damaged WAL stays unchanged. */
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

/**
 * A crash during a reset may leave the world hard-linked to its checkpoint. Copies it, because the world is about to be
 * written.
 */
const unshare = (file: string): void => {
  for (const shared of [file + LOG, file]) {
    if ((fs.statSync(shared, { throwIfNoEntry: false })?.nlink ?? 0) <= 1) continue;
    const own = file + UNFINISHED;
    fs.copyFileSync(shared, own);
    syncFile(own);
    fs.renameSync(own, shared);
  }
};

/** World files. A file is complete and on disk before it gets a world's name. */
export class WorldFiles {
  readonly #folder: string;
  readonly #template: string;
  readonly #options: FilesOptions;
  /** Worlds whose disk failed to confirm a change. */
  readonly #doubted = new Set<string>();

  /** @param template file that new worlds are copied from */
  constructor(folder: string, template: string, options: FilesOptions) {
    this.#folder = folder;
    this.#template = template;
    this.#options = options;
    fs.mkdirSync(folder, { recursive: true });
  }

  getPath(name: string): string {
    return path.join(this.#folder, worldFileName(name));
  }

  /** Lists the worlds, and those with a WAL left by a crash. Deletes unfinished files. */
  scan(): { readonly names: string[]; readonly crashed: string[] } {
    const names: string[] = [];
    const logs: string[] = [];
    for (const file of fs.readdirSync(this.#folder)) {
      if (UNFINISHED_FILE.test(file)) fs.rmSync(path.join(this.#folder, file), { recursive: true });
      const logged = file.endsWith(LOG);
      const name = parseWorldFile(logged ? file.slice(0, -LOG.length) : file);
      if (name !== null) (logged ? logs : names).push(name);
    }
    const existing = new Set(names);
    return { names, crashed: logs.filter((name) => existing.has(name)) };
  }

  has(name: string): boolean {
    return fs.existsSync(this.getPath(name)) && this.#options.sharing?.owns(name) !== false;
  }

  /** Checks whether another version wrote a world's file. Such a file must not be touched. */
  isOtherVersion(name: string): boolean {
    return findOtherVersion(this.getPath(name), migrations) !== null;
  }

  /** Modification time of a world's file, in milliseconds; null if there is none. */
  changedAt(name: string): number | null {
    return fs.statSync(this.getPath(name), { throwIfNoEntry: false })?.mtimeMs ?? null;
  }

  /** Size of a world's file on disk, including its WAL while open. */
  getBytes(name: string): number {
    const file = this.getPath(name);
    return fileBytes(file) + fileBytes(file + LOG);
  }

  /** Opens an existing world's file, or a copy of it. @throws OtherVersionError */
  open(name: string, file = this.getPath(name)): Database {
    if (file === this.getPath(name)) this.mend(name);
    unshare(file);
    // SQLite would accept an empty file as a new database.
    if (fileVersion(file) === 0) throw new Error("its file is not a database that can be read");
    const db = new Database(file, this.#options);
    try {
      const missing = findMissingTable(db);
      if (missing !== undefined) throw new Error(`its file has no table ${missing}`);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /**
   * Creates a world's file, or replaces it.
   *
   * @param epoch creation time of the world, milliseconds since 1970
   * @throws OtherVersionError
   */
  create(name: string, epoch: number): void {
    this.put(name, this.fresh(name, epoch));
    this.syncNames();
  }

  /**
   * Builds the file of a fresh world for {@link put}. @param epoch creation time of the world, milliseconds since 1970
   */
  fresh(name: string, epoch: number, isReset = false): string {
    const unfinished = this.getPath(name) + UNFINISHED;
    try {
      removeAll(unfinished);
      this.seed(unfinished, epoch, isReset);
      if (this.#options.durability === "full") syncFile(unfinished);
      return unfinished;
    } catch (error) {
      removeAll(unfinished);
      throw error;
    }
  }

  /** Marks a world whose disk failed to confirm a change: its readable content may not be on disk. */
  doubt(name: string): void {
    this.#doubted.add(name);
  }

  isDoubted(name: string): boolean {
    return this.#doubted.has(name);
  }

  /**
   * Rewrites the file of a doubted world from the valid part of its WAL. Syncing the same file again would succeed
   * without restoring what the first sync lost. @throws NotDurableError
   */
  mend(name: string): void {
    if (!this.#doubted.has(name)) return;
    const target = this.getPath(name);
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

  /** Writes a fresh world's file to an unused path. */
  seed(file: string, epoch: number, isReset = false): void {
    fs.copyFileSync(this.#template, file);
    const db = new Database(file, { durability: "off" });
    db.epoch = epoch;
    if (isReset) new SettingsStore(db).set("was_reset", true);
    db.close();
  }

  /** Runs work on a temporary file and deletes it afterwards. */
  async withTemporaryFile<T>(name: string, work: (file: string) => Promise<T>): Promise<T> {
    const file = `${this.getPath(name)}.${randomUUID()}${UNFINISHED}`;
    try {
      return await work(file);
    } finally {
      removeAll(file);
    }
  }

  /**
   * Replaces a world's file with a complete one that is on disk. On an error, the world's file is unchanged.
   *
   * @throws OtherVersionError
   */
  put(name: string, file: string): void {
    const target = this.getPath(name);
    try {
      this.mend(name);
      refuseOtherVersion(target, migrations);
      this.#options.sharing?.changing(name);
      // A crash between the two steps leaves the old world intact.
      foldLog(target);
      for (const suffix of suffixes.slice(1)) fs.rmSync(target + suffix, { force: true });
      fs.renameSync(file, target);
    } catch (error) {
      removeAll(file);
      throw error;
    }
  }

  /**
   * Deletes a world's file. On an error, the file is unchanged. @throws OtherVersionError, because files of other
   * versions are never touched
   */
  remove(name: string): void {
    const file = this.getPath(name);
    refuseOtherVersion(file, migrations);
    this.#options.sharing?.changing(name);
    fs.rmSync(file, { recursive: true, force: true });
    try {
      this.discard(name);
    } catch {
      // A WAL alone isn't a world. The next file of that name clears it.
    }
  }

  /** Deletes a file that is only a stale copy of a world. */
  discard(name: string): void {
    removeAll(this.getPath(name));
  }

  /** Flushes the folder's entries to disk. */
  syncNames(): void {
    if (this.#options.durability === "full") syncFolder(this.#folder);
  }
}
