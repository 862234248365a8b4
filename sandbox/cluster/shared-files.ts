import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { worldSnapshotsFolder } from "../rules/snapshot-name.ts";
import { worldFileName } from "../rules/world-name.ts";
import type { SnapshotFiles } from "../snapshots/snapshot-files.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import type { SharedDatabase } from "./database.ts";
import { partsOf } from "./world-store.ts";

/** The folders of the data folder that all nodes have in common. */
const SCENARIOS = "scenarios/";
const FOLDERS = ["media", "snapshots", "scenarios"];
/** What is being written is no file yet. */
const UNFINISHED = /\.(part|new)$/;

/** Where what belongs to a world lies: its pictures and its snapshots. */
const foldersOf = (world: string): string[] => [
  `media/${worldFileName(world)}/`,
  `snapshots/${worldSnapshotsFolder(world)}/`,
];

const hashOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

interface Seen {
  readonly hash: string;
  /** By which it is known that the file is still this one. */
  readonly mark: string;
}

/** Pictures, snapshots and scenarios, stored by their content. What is here of them is copies, made when they are asked for. */
export class SharedFiles {
  readonly #database: SharedDatabase;
  readonly #root: string;
  readonly #seen = new Map<string, Seen>();
  #turn: Promise<unknown> = Promise.resolve();

  readonly #media: MediaFiles;
  readonly #snapshots: SnapshotFiles;

  /** @param root the data folder */
  constructor(database: SharedDatabase, root: string, media: MediaFiles, snapshots: SnapshotFiles) {
    this.#database = database;
    this.#root = root;
    this.#media = media;
    this.#snapshots = snapshots;
  }

  /** Has what belongs to worlds be here as it is stored, and all scenarios. @param all whether snapshots of other worlds are */
  async pull(worlds: readonly string[], all: boolean): Promise<void> {
    const prefixes = [...worlds.flatMap(foldersOf), ...(all ? ["snapshots/"] : []), SCENARIOS];
    await this.#inTurn(async () => {
      for (const prefix of prefixes) await this.#pullBelow(prefix);
    });
    this.#media.look();
    this.#snapshots.look();
  }

  /** The same of one picture, wherever it belongs. */
  async pullPicture(id: string): Promise<void> {
    if (this.#media.find(id)) return;
    await this.#inTurn(async () => {
      const select = "SELECT path, hash FROM sandbox_files WHERE starts_with(path, 'media/') AND strpos(path, $1) > 0";
      const [row] = await this.#database.run(select, [`/${id}.`]);
      if (row) await this.#fetch(String(row.path), String(row.hash));
    });
    this.#media.look();
  }

  /** Has what changed here be stored: files that are new, others, or gone. */
  push(): Promise<void> {
    return this.#inTurn(async () => {
      const here = new Map(this.#walk());
      for (const [name, mark] of here) if (this.#seen.get(name)?.mark !== mark) await this.#store(name, mark);
      for (const name of [...this.#seen.keys()]) {
        if (here.has(name)) continue;
        await this.#database.run("DELETE FROM sandbox_files WHERE path = $1", [name]);
        this.#seen.delete(name);
      }
    });
  }

  /** What is here of a world is about to go, and stays stored. */
  leave(world: string): void {
    const [pictures = "", snapshots = ""] = foldersOf(world);
    for (const name of [...this.#seen.keys()])
      if (name.startsWith(pictures) || name.startsWith(snapshots)) this.#seen.delete(name);
    for (const folder of [pictures, snapshots])
      fs.rmSync(path.join(this.#root, folder), { recursive: true, force: true });
    this.#snapshots.look();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  *#walk(): Generator<[string, string]> {
    for (const folder of FOLDERS) {
      const root = path.join(this.#root, folder);
      if (!fs.existsSync(root)) continue;
      for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name);
        const name = path.relative(this.#root, file).replaceAll(path.sep, "/");
        if (entry.isFile() && !UNFINISHED.test(name)) yield [name, this.#markOf(file)];
      }
    }
  }

  #markOf(file: string): string {
    const { size, mtimeMs } = fs.statSync(file);
    return `${size} ${mtimeMs}`;
  }

  async #pullBelow(prefix: string): Promise<void> {
    const rows = await this.#database.run("SELECT path, hash FROM sandbox_files WHERE starts_with(path, $1)", [prefix]);
    const stored = new Map(rows.map(({ path: name, hash }) => [String(name), String(hash)]));
    for (const [name, hash] of stored) if (this.#seen.get(name)?.hash !== hash) await this.#fetch(name, hash);
    for (const name of [...this.#seen.keys()]) {
      if (!name.startsWith(prefix) || stored.has(name)) continue;
      fs.rmSync(path.join(this.#root, name), { force: true });
      this.#seen.delete(name);
    }
  }

  async #fetch(name: string, hash: string): Promise<void> {
    const rows: Buffer[] = [];
    for (;;) {
      const select = "SELECT bytes FROM sandbox_blobs WHERE hash = $1 AND part = $2";
      const [row] = await this.#database.run(select, [hash, rows.length]);
      if (!row) break;
      rows.push(row.bytes as Buffer);
    }
    const content = Buffer.concat(rows);
    if (hashOf(content) !== hash) throw new Error(`${name} is not stored as a whole`);
    const file = path.join(this.#root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${file}.new`, content, { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
    this.#seen.set(name, { hash, mark: this.#markOf(file) });
  }

  async #store(name: string, mark: string): Promise<void> {
    const content = await fs.promises.readFile(path.join(this.#root, name));
    const hash = hashOf(content);
    for (const [part, bytes] of partsOf(content).entries())
      await this.#database.run(
        `INSERT INTO sandbox_blobs (hash, part, bytes, stored_at) VALUES ($1, $2, $3, clock_timestamp())
         ON CONFLICT (hash, part) DO UPDATE SET stored_at = clock_timestamp()`,
        [hash, part, bytes],
      );
    const insert = "INSERT INTO sandbox_files (path, hash) VALUES ($1, $2) ON CONFLICT (path) DO UPDATE SET hash = $2";
    await this.#database.run(insert, [name, hash]);
    this.#seen.set(name, { hash, mark });
  }

  /** Deletes contents that no file has any more. What was stored lately may be about to become a file's. */
  async clear(): Promise<void> {
    await this.#database.run(
      `DELETE FROM sandbox_blobs b WHERE stored_at < clock_timestamp() - interval '1 hour'
       AND NOT EXISTS (SELECT 1 FROM sandbox_files f WHERE f.hash = b.hash)`,
    );
  }
}
