import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { worldSnapshotsFolder } from "../rules/snapshot-name.ts";
import { worldFileName } from "../rules/world-name.ts";
import type { SnapshotFiles } from "../snapshots/snapshot-files.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import type { SharedDatabase } from "./database.ts";

const SCENARIOS = "scenarios/";
/** What is being written is no file yet. */
const UNFINISHED = /\.(part|new)$/;

/** Where what belongs to a world lies in the data folder: its pictures and its snapshots. */
const foldersOf = (world: string): string[] => [
  ...[`media/${worldFileName(world)}/`, `snapshots/${worldSnapshotsFolder(world)}/`],
];

const hashOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

interface Seen {
  /** The hash of its content. */
  readonly blob: string;
  /** By which it is known that the file is still this one. */
  readonly mark: string;
}

/** Pictures, snapshots and scenarios, stored by their content. What is here of them is copies, made when they are asked for. */
export class SharedFiles {
  readonly #database: SharedDatabase;
  readonly #root: string;
  readonly #media: MediaFiles;
  readonly #snapshots: SnapshotFiles;
  readonly #seen = new Map<string, Seen>();
  #turn: Promise<unknown> = Promise.resolve();

  /** @param root the data folder */
  constructor(database: SharedDatabase, root: string, media: MediaFiles, snapshots: SnapshotFiles) {
    this.#database = database;
    this.#root = root;
    this.#media = media;
    this.#snapshots = snapshots;
  }

  /**
   * Has what belongs to worlds, and all scenarios, be here as they are stored, and stored as they are here.
   *
   * @param all whether snapshots of other worlds are
   */
  async sync(worlds: readonly string[], all = false): Promise<void> {
    const prefixes = [...worlds.flatMap(foldersOf), ...(all ? ["snapshots/"] : []), SCENARIOS];
    await this.#inTurn(async () => {
      for (const prefix of prefixes) {
        const stored = await this.#stored("starts_with(path, $1)", prefix);
        const here = this.#here(prefix);
        const seen = [...this.#seen.keys()].filter((name) => name.startsWith(prefix));
        for (const name of new Set([...stored.keys(), ...here.keys(), ...seen]))
          if (here.get(name) !== this.#seen.get(name)?.mark) await this.#store(name, here.get(name));
          else if (stored.get(name) !== this.#seen.get(name)?.blob) await this.#fetch(name, stored.get(name));
      }
    });
    this.#media.look();
    this.#snapshots.look();
  }

  /** Has one picture be here, wherever it belongs. */
  async pullPicture(id: string): Promise<void> {
    if (this.#media.find(id)) return;
    await this.#inTurn(async () => {
      const stored = await this.#stored("starts_with(path, 'media/') AND strpos(path, $1) > 0", `/${id}.`);
      for (const [name, blob] of stored) await this.#fetch(name, blob);
    });
    this.#media.look();
  }

  /** What is here of a world is about to go, and stays stored. */
  leave(world: string): void {
    for (const folder of foldersOf(world)) {
      for (const name of this.#seen.keys()) if (name.startsWith(folder)) this.#seen.delete(name);
      fs.rmSync(path.join(this.#root, folder), { recursive: true, force: true });
    }
    this.#snapshots.look();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** The files below a folder by their names in the data folder, with their marks. */
  #here(folder: string): ReadonlyMap<string, string> {
    const root = path.join(this.#root, folder);
    if (!fs.existsSync(root)) return new Map();
    const entries = fs.readdirSync(root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name));
    const paths = files.map(({ parentPath, name }) => path.join(parentPath, name));
    return new Map(
      paths.map((file) => [path.relative(this.#root, file).replaceAll(path.sep, "/"), this.#markOf(file)]),
    );
  }

  #markOf(file: string): string {
    const { size, mtimeMs } = fs.statSync(file);
    return `${size} ${mtimeMs}`;
  }

  /** The files that are stored by their names, with the hashes of their contents. */
  async #stored(condition: string, value: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.run(`SELECT path, blob FROM sandbox_files WHERE ${condition}`, [value]);
    return new Map(rows.map((row) => [String(row.path), String(row.blob)]));
  }

  /** @param blob left out: there is no such file any more */
  async #fetch(name: string, blob?: string): Promise<void> {
    const file = path.join(this.#root, name);
    if (blob === undefined) {
      fs.rmSync(file, { force: true });
      this.#seen.delete(name);
      return;
    }
    const content = await this.#database.get(blob);
    if (hashOf(content) !== blob) throw new Error(`${name} is not stored as a whole`);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${file}.new`, content, { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
    this.#seen.set(name, { blob, mark: this.#markOf(file) });
  }

  /** @param mark left out: there is no such file any more */
  async #store(name: string, mark?: string): Promise<void> {
    if (mark === undefined) {
      await this.#database.run("DELETE FROM sandbox_files WHERE path = $1", [name]);
      this.#seen.delete(name);
      return;
    }
    const content = await fs.promises.readFile(path.join(this.#root, name));
    const blob = hashOf(content);
    await this.#database.put(blob, content);
    const insert = "INSERT INTO sandbox_files VALUES ($1, $2) ON CONFLICT (path) DO UPDATE SET blob = $2";
    await this.#database.run(insert, [name, blob]);
    this.#seen.set(name, { blob, mark });
  }
}
