import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { worldFileName, worldOfFile } from "../rules/world-name.ts";
import { Database, fileVersion, type OpenOptions, refuseNewer } from "../storage/database.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { migrations } from "../storage/migrations/index.ts";
import { syncFile, syncFolder } from "../storage/sync.ts";
import { NotDurableError } from "../storage/writer.ts";
import { UNDATED } from "./template.ts";

/** What a file ends in that is no world yet; a start clears such files away. */
export const UNFINISHED = ".new";
const LOG = "-wal";

interface Template {
  readonly all: Buffer;
  readonly date: Buffer;
}

/** Is handed the closed file of a world that is about to be no more. */
export type KeepFile = (file: string) => void;
export const nothingKept: KeepFile = () => undefined;

export interface OpenedFile {
  readonly db: Database;
  /** It was not there before. */
  readonly fresh: boolean;
}

const isDamaged = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

const PAGE = 4_096;
const nothing = Buffer.alloc(PAGE);

/** The files of all worlds, one each, copied from the template. */
export class WorldFiles {
  readonly #folder: string;
  readonly #templateFile: string;
  readonly #options: OpenOptions;
  #read: Template | null = null;
  /** Worlds whose file this process has written or looked through. */
  readonly #sound = new Set<string>();

  constructor(folder: string, template: string, options: OpenOptions) {
    this.#folder = folder;
    this.#templateFile = template;
    this.#options = options;
    fs.mkdirSync(folder, { recursive: true });
  }

  #file(name: string): string {
    return path.join(this.#folder, worldFileName(name));
  }

  /** Where a world's file lies; beside it, with {@link UNFINISHED}, what is to take its place. */
  place(name: string): string {
    return this.#file(name);
  }

  /** Puts a file, which is sound and on disk, in the place of a world's; there is always the one or the other. */
  replace(name: string, file: string): void {
    refuseNewer(this.#file(name));
    for (const suffix of ["-wal", "-shm"]) fs.rmSync(this.#file(name) + suffix, { force: true });
    fs.renameSync(file, this.#file(name));
    this.syncNames();
    this.#sound.add(name);
  }

  /** The worlds there are, and those of them that a crash left with a log; clears away what was never finished. */
  look(): { readonly names: string[]; readonly crashed: string[] } {
    const names: string[] = [];
    const crashed: string[] = [];
    for (const file of fs.readdirSync(this.#folder)) {
      if (file.endsWith(UNFINISHED)) fs.rmSync(path.join(this.#folder, file), { force: true });
      const logged = file.endsWith(LOG);
      const name = worldOfFile(logged ? file.slice(0, -LOG.length) : file);
      if (name !== null) (logged ? crashed : names).push(name);
    }
    return { names, crashed };
  }

  has(name: string): boolean {
    return fs.existsSync(this.#file(name));
  }

  /** Whether a newer version wrote a world's file: it must not be touched. */
  isNewer(name: string): boolean {
    return fileVersion(this.#file(name)) > migrations.length;
  }

  /** Brings to the disk which worlds there are. */
  syncNames(): void {
    if (this.#options.durability === "full") syncFolder(this.#folder);
  }

  /** @throws NewerDataError: a newer version's file is never touched */
  remove(name: string): void {
    refuseNewer(this.#file(name));
    this.#sound.delete(name);
    for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(this.#file(name) + suffix, { force: true });
  }

  /**
   * Opens a world's file, copied from the template where there is none.
   *
   * @param epoch what a copy is dated with
   * @param kept whether something in it is known to have been acknowledged: then it is never taken for unfinished
   */
  open(name: string, epoch: number, kept: boolean): OpenedFile {
    const file = this.#file(name);
    if (fs.existsSync(file)) {
      const db = this.#openSound(name, kept);
      if (db) return { db, fresh: false };
      this.remove(name);
    }
    this.#copyTemplate(file, epoch);
    this.#sound.add(name);
    return { db: new Database(file, this.#options), fresh: true };
  }

  /**
   * A copy reaches the disk before the first change in it is acknowledged, not before it is read. One that a power
   * failure cut short holds nothing that anybody was told is kept; it is made anew.
   */
  #openSound(name: string, kept: boolean): Database | null {
    const file = this.#file(name);
    const known = this.#sound.has(name);
    let db: Database;
    try {
      // SQLite would take an empty file for a new database.
      if (fileVersion(file) === 0) throw new Sqlite.SqliteError(`${file} is not a database`, "SQLITE_NOTADB");
      db = new Database(file, this.#options);
    } catch (error) {
      if (!kept && !known && isDamaged(error) && this.#isUnfinished(file)) return null;
      throw error;
    }
    if (!db.settled && !known && !db.isSound()) {
      db.close();
      return null;
    }
    // Only a template has no epoch: somebody copied it here.
    if (db.epoch === 0) db.epoch = Date.now();
    this.#sound.add(name);
    return db;
  }

  /** Whether a file is made of nothing but pages of the template and empty ones. */
  #isUnfinished(file: string): boolean {
    const { all, date } = this.#template();
    const found = fs.readFileSync(file);
    const redated = Buffer.from(found);
    const dated = date.byteOffset - all.byteOffset;
    if (found.length >= dated + date.length) date.copy(redated, dated);
    for (let from = 0; from < found.length; from += PAGE) {
      const page = found.subarray(from, from + PAGE);
      const lost = page.equals(nothing.subarray(0, page.length));
      if (!lost && !redated.subarray(from, from + PAGE).equals(all.subarray(from, from + page.length))) return false;
    }
    return true;
  }

  #copyTemplate(file: string, epoch: number): void {
    const { all, date } = this.#template();
    date.write(String(epoch).padStart(UNDATED.length, "0"), "latin1");
    try {
      fs.writeFileSync(file + UNFINISHED, all);
      fs.renameSync(file + UNFINISHED, file);
    } catch (error) {
      fs.rmSync(file + UNFINISHED, { force: true });
      throw isDiskFailure(error) ? new NotDurableError(error) : error;
    }
  }

  /** The template, and the place in it that is written over with the date of a copy. */
  #template(): Template {
    if (this.#read) return this.#read;
    const all = fs.readFileSync(this.#templateFile);
    const at = all.indexOf(`epoch${UNDATED}`, 0, "latin1");
    if (at < 0) throw new Error(`${this.#templateFile} is no template: it has no place for a date`);
    const from = at + "epoch".length;
    this.#read = { all, date: all.subarray(from, from + UNDATED.length) };
    return this.#read;
  }

  /** Makes a world's file from another's, as that is now, and brings it to the disk. */
  copy(from: Database, name: string): void {
    const unfinished = this.#file(name) + UNFINISHED;
    fs.rmSync(unfinished, { force: true });
    from.handle.prepare("VACUUM INTO ?").run(unfinished);
    if (this.#options.durability === "full") syncFile(unfinished);
    fs.renameSync(unfinished, this.#file(name));
    this.syncNames();
    this.#sound.add(name);
  }
}
