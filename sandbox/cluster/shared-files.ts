// Pictures, snapshots and scenarios, fetched when a node needs them.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { worldSnapshotsFolder } from "../rules/worlds/snapshot-name.ts";
import { worldFileName } from "../rules/worlds/world-name.ts";
import type { SnapshotFiles } from "../snapshots/snapshot-files.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import { createQueue, type SharedDatabase } from "./database.ts";
import { PICTURE_OF_PATH } from "./tables.ts";
import { NotHeldError, type Position } from "./world-store.ts";

/** Returns the folders for a world's pictures and snapshots, relative to the data folder. */
const listWorldFolders = (world: string): string[] => [
  `media/${worldFileName(world)}`,
  `snapshots/${worldSnapshotsFolder(world)}`,
];

const isIn = (name: string, folder: string): boolean => `${name}/`.startsWith(`${folder}/`);

/** SQL for {@link isIn} that can use an index, in which `0` follows `/`. @param folder an SQL expression */
const pathInSql = (folder: string): string =>
  `path COLLATE "C" >= ${folder} || '/' AND path COLLATE "C" < ${folder} || '0'`;

/** The description of a snapshot. */
const DESCRIPTION = /^snapshots\/.*\/about\.json$/;

/** Valid paths of shared files. Others could leave the data folder. */
const FILE = /^(media|snapshots|scenarios)(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._+-]+)+$/;

const hashContent = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/** Replicates pictures, snapshots and scenarios, stored by content hash. Local files are copies, fetched when needed. */
export class SharedFiles {
  readonly #database: SharedDatabase;
  readonly #root: string;
  readonly #media: MediaFiles;
  readonly #snapshots: SnapshotFiles;
  readonly #held: () => Iterable<Position>;
  /** Hashes of local files that equal the stored ones, by path in the data folder. */
  readonly #here = new Map<string, string>();
  /** Files and folders with unstored changes, each with a symbol that identifies its last change. */
  readonly #changed = new Map<string, symbol>();
  readonly #enqueue = createQueue();

  /** @param root the data folder @param held returns the worlds that this node owns */
  constructor(
    database: SharedDatabase,
    root: string,
    media: MediaFiles,
    snapshots: SnapshotFiles,
    held: () => Iterable<Position>,
  ) {
    this.#database = database;
    this.#root = root;
    this.#media = media;
    this.#snapshots = snapshots;
    this.#held = held;
  }

  /** Call after a file or folder was changed or deleted. */
  changed(file: string): void {
    this.#changed.set(path.relative(this.#root, file).replaceAll(path.sep, "/"), Symbol());
  }

  /** Stores local changes. @throws NotHeldError if another node has taken the world */
  push(): Promise<void> {
    return this.#enqueue(async () => {
      for (const [name, change] of this.#changed) {
        await this.#store(name);
        if (this.#changed.get(name) === change) this.#changed.delete(name);
      }
    });
  }

  /**
   * Fetches the files of worlds, and all scenarios.
   *
   * @param all true to also fetch the descriptions of other worlds' snapshots
   */
  async pull(worlds: readonly string[], all = false): Promise<void> {
    const folders = [...worlds.flatMap(listWorldFolders), "scenarios"];
    const isSelectedSql = `${pathInSql("folder")} AND (folder <> 'snapshots' OR path ~ '${DESCRIPTION.source}')`;
    const isSelected = (name: string): boolean =>
      folders.some((folder) => isIn(name, folder)) || (all && DESCRIPTION.test(name));
    const selected = [...folders, ...(all ? ["snapshots"] : [])];
    await this.#pull(`unnest($1::text[]) AS folder JOIN sandbox_files ON ${isSelectedSql}`, selected, isSelected);
  }

  /** Fetches one picture of any world. */
  async pullPicture(id: string): Promise<void> {
    const from = `sandbox_files WHERE ${PICTURE_OF_PATH} = $1`;
    if (!this.#media.find(id)) await this.#pull(from, id, () => false);
  }

  /** @param from SQL that selects the stored files @param isSelected selects the local files to delete if they aren't stored */
  async #pull(from: string, value: unknown, isSelected: (name: string) => boolean): Promise<void> {
    await this.#enqueue(async () => {
      const rows = await this.#database.run(`SELECT path, blob FROM ${from}`, [value]);
      const stored = new Map(rows.map((row) => [String(row.path), String(row.blob)]));
      const names = new Set([...stored.keys(), ...[...this.#here.keys()].filter(isSelected)]);
      const others = [...names].filter((name) => this.#here.get(name) !== stored.get(name));
      for (const name of others) await this.#fetch(name, stored.get(name));
      if (others.length > 0) this.#rescan();
    });
  }

  #rescan(): void {
    this.#media.scan();
    this.#snapshots.refresh();
  }

  /** Deletes the local copies of a world's files. */
  leave(world: string): void {
    for (const folder of listWorldFolders(world)) {
      for (const name of this.#here.keys()) if (isIn(name, folder)) this.#here.delete(name);
      for (const name of this.#changed.keys()) if (isIn(name, folder)) this.#changed.delete(name);
      fs.rmSync(path.join(this.#root, folder), { recursive: true, force: true });
    }
    this.#rescan();
  }

  /** Returns the path of a file, or of all files in a folder. */
  #listFiles(name: string): string[] {
    const stat = fs.statSync(path.join(this.#root, name), { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return stat ? [name] : [];
    return fs.readdirSync(path.join(this.#root, name)).flatMap((entry) => this.#listFiles(`${name}/${entry}`));
  }

  /** @param blob left out if the file was deleted */
  async #fetch(name: string, blob?: string): Promise<void> {
    if (!FILE.test(name)) throw new Error(`sandbox_files has the path ${JSON.stringify(name)}: delete that row`);
    const file = path.join(this.#root, name);
    this.#here.delete(name);
    if (blob === undefined) {
      fs.rmSync(file, { force: true });
      return;
    }
    const content = await this.#database.get(blob);
    if (hashContent(content) !== blob) throw new Error(`${name} is not stored as a whole`);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${file}.new`, content, { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
    this.#here.set(name, blob);
  }

  /** @param at a file or folder, possibly deleted; a folder is stored in one statement, so a snapshot is never partial */
  async #store(at: string): Promise<void> {
    const isOf = ({ name }: Position): boolean => listWorldFolders(name).some((folder) => isIn(at, folder));
    const held = [...this.#held()].find(isOf);
    if (!held && !at.startsWith("scenarios/")) {
      // Another node owns the world, so the stored files count.
      for (const name of this.#here.keys()) if (isIn(name, at)) this.#here.delete(name);
      return;
    }
    // The world may leave meanwhile, which deletes the local files.
    const isHere = (): boolean => this.#changed.has(at);
    const found = new Map<string, string>();
    for (const name of this.#listFiles(at)) {
      const content = await fs.promises.readFile(path.join(this.#root, name));
      const blob = hashContent(content);
      await this.#database.put(blob, content);
      if (!isHere()) return;
      found.set(name, blob);
    }
    // The row lock makes the next owner wait for this statement, or this statement finds the world taken.
    const isHeld = "SELECT 1 FROM sandbox_worlds WHERE name = $4 AND owner = $5 AND epoch = $6 FOR SHARE";
    const [stored] = await this.#database.run(
      `WITH held AS (${held ? isHeld : "SELECT 1"}),
       stored AS (INSERT INTO sandbox_files SELECT path, blob FROM held, unnest($2::text[], $3::text[]) AS f (path, blob)
         ON CONFLICT (path) DO UPDATE SET blob = excluded.blob),
       gone AS (DELETE FROM sandbox_files USING held
         WHERE (path = $1 OR ${pathInSql("$1")}) AND NOT path = ANY ($2))
       SELECT 1 FROM held`,
      [at, [...found.keys()], [...found.values()], ...(held ? [held.name, held.owner, held.epoch] : [])],
    );
    if (held && !stored) throw new NotHeldError(held.name);
    if (isHere()) for (const [name, blob] of found) this.#here.set(name, blob);
  }
}
