import fs from "node:fs";
import path from "node:path";
import type { GivenCredentials } from "../config.ts";
import type { DestructiveAct } from "../contract/control/snapshot-rows.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { isSnapshotName, nameFromTime, surplusCheckpoints } from "../rules/snapshot-name.ts";
import { Database } from "../storage/database.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { alsoAt } from "../storage/sync.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import type { World } from "../worlds/world.ts";
import type { KeepFile } from "../worlds/world-files.ts";
import type { Worlds } from "../worlds/worlds.ts";
import type { LongWork } from "./long-work.ts";
import { filesIn, type SnapshotFiles, type SnapshotRecord, type UnfinishedSnapshot } from "./snapshot-files.ts";
import type { CompareWork, WorkResults } from "./work.ts";

export interface SnapshotsOptions {
  readonly worlds: Worlds;
  readonly files: SnapshotFiles;
  readonly media: MediaFiles;
  readonly work: LongWork;
  /** This service's own; null: the documented ones. */
  readonly credentials: GivenCredentials | null;
  readonly version: string;
}

/** A world after something was done to it, and the checkpoint that undoes it; null when there is nothing to undo. */
export interface Changed {
  readonly world: string;
  readonly checkpoint: string | null;
}

type Compared = WorkResults["compare"];

/** A document, and what to call its file. */
export interface Exported {
  readonly file_name: string;
  readonly document: fs.ReadStream;
}

/** Of one world, checkpoints not counted. */
const MOST_SNAPSHOTS = 100;
const badName = (): Refusal => refuse("bad_request", "/name must be 1 to 64 of A–Z a–z 0–9 . _ -");
const noSnapshot = (world: string, name: string): Refusal =>
  refuse("not_found", `/name ${name} is no snapshot of the world ${world}`);
/** What a folder says that cannot be written to, beside what a full or failing disk says. */
const UNWRITABLE: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "ENOTDIR", "EEXIST"]);
const asNotDurable = (error: unknown): unknown =>
  isDiskFailure(error) || (error instanceof Error && "code" in error && UNWRITABLE.has(error.code))
    ? new NotDurableError(error)
    : error;

/** Clears away what is not needed any more. What the disk does not let go stays, and fails nothing that was done. */
const afterwards = (clear: () => void): void => {
  try {
    clear();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
};

/** Worlds at a moment, to come back to: saved by hand, imported, or made before something is lost. */
export class Snapshots {
  readonly #options: SnapshotsOptions;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  get work(): LongWork {
    return this.#options.work;
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

  /** Keeps a world as it is, beside everything else that goes on in it. */
  save(
    world: string,
    given: string | undefined,
    replace: boolean,
    signal: AbortSignal,
  ): Promise<SnapshotRecord | Refusal> {
    const { files, media, work, worlds } = this.#options;
    return this.#make(async (unfinished) => {
      const name = this.#nameFor(world, given, "snapshot", replace);
      if (name instanceof Refusal) return name;
      const copy = { kind: "copy", from: worlds.fileOf(world), to: unfinished.file } as const;
      const copied = await work.run(world, copy, signal);
      if (copied instanceof Refusal) return copied;
      const summary = worlds.look(world, (found) => found.summary());
      if (!summary) return refuse("not_found", `the world ${world} was deleted meanwhile`);
      // After the file, so that none is missing that it names: pictures are only added while the world is the same.
      media.saveTo(world, unfinished.media);
      return files.finish(unfinished, { ...this.#about(world, name), kind: "saved", before: null, summary });
    });
  }

  /** Copies a world to a name that has none; what waits to be delivered stays with the original. */
  copy(world: string, to: string, signal: AbortSignal): Promise<Refusal | null> {
    const { media, work, worlds } = this.#options;
    return this.#make(async ({ file }) => {
      const copied = await work.run(world, { kind: "copy", from: worlds.fileOf(world), to: file }, signal);
      if (copied instanceof Refusal) return copied;
      if (worlds.has(to)) return refuse("bad_request", `/to ${to} is a world already`);
      worlds.adopt(to, file);
      media.addFrom(to, media.folderOf(world));
      return null;
    });
  }

  /** Runs what makes files that are gone afterwards, unless they were moved to where they belong. */
  async #make<T>(run: (unfinished: UnfinishedSnapshot) => Promise<T>): Promise<T> {
    try {
      return await this.#options.work.within((folder) => run(filesIn(folder)));
    } catch (error) {
      throw asNotDurable(error);
    }
  }

  /** What keeps a world's file before it is lost, and the name it is kept under; null as long as it is not. */
  #checkpoint(
    world: World,
    before: DestructiveAct,
    unfinished: UnfinishedSnapshot,
  ): { readonly keep: KeepFile; readonly made: () => string | null } {
    const { files, media, worlds } = this.#options;
    const [summary, pinned] = [world.summary(), worlds.isPinned(world.name)];
    let name: string | null = null;
    const keep: KeepFile = (file) => {
      try {
        for (const suffix of ["", "-wal"])
          if (fs.existsSync(file + suffix)) alsoAt(file + suffix, unfinished.file + suffix);
        media.saveTo(world.name, unfinished.media);
        const about = this.#about(world.name, this.#freeName(world.name, `before-${before}`));
        name = files.finish(unfinished, { ...about, kind: "checkpoint", before, summary, pinned }).name;
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

  /** Does what cannot be undone but with a checkpoint. @returns the checkpoint */
  #undoably(name: string, before: DestructiveAct, wanted: boolean, act: (keep: KeepFile) => Promise<void>) {
    const { work, worlds } = this.#options;
    return this.#make(async (unfinished) => {
      // What still reads the file would go on with one that is no more.
      await work.end(name);
      // Of a world that is not there, or whose file is damaged, there is nothing to come back to.
      const checkpoint = wanted
        ? worlds.lookIfIntact(name, (world) => this.#checkpoint(world, before, unfinished))
        : undefined;
      const { keep, made } = checkpoint ?? { keep: () => undefined, made: () => null };
      await act(keep);
      afterwards(() => this.#forgetSurplus());
      return made();
    });
  }

  /** Seeds a world anew. */
  async reset(world: string, checkpoint: boolean): Promise<Changed> {
    const { worlds } = this.#options;
    const made = await this.#undoably(world, "reset", checkpoint, (keep) => worlds.reset(world, keep));
    return { world, checkpoint: made };
  }

  /** Ends a world. @returns the checkpoint */
  remove(world: string, checkpoint: boolean): Promise<string | null> {
    return this.#undoably(world, "delete", checkpoint, (keep) => this.#options.worlds.remove(world, keep));
  }

  /** Makes a world again what it was. */
  async restore(worldName: string, name: string, checkpoint: boolean, signal: AbortSignal): Promise<Changed | Refusal> {
    const { files, worlds, media, work } = this.#options;
    const record = files.get(worldName, name);
    if (!record) return noSnapshot(worldName, name);
    const kept = files.filesOf(worldName, name);
    return this.#make(async (unfinished) => {
      const prepared = await work.run(
        worldName,
        { kind: "restore", from: kept.file, to: unfinished.file, name },
        signal,
      );
      // It may have been deleted while the restore waited for other work.
      if (!files.get(worldName, name)) return noSnapshot(worldName, name);
      if (prepared instanceof Refusal) return prepared;
      const made = await this.#undoably(worldName, "restore", checkpoint, async (keep) => {
        const pinnedAgain = record.pinned === true && !worlds.has(worldName);
        // Pictures never change: more of them than there should be, for a moment or after a crash, do no harm.
        media.addFrom(worldName, kept.media);
        await worlds.replace(worldName, unfinished.file, keep);
        if (pinnedAgain) worlds.pin(worldName, true);
        afterwards(() => media.keepOnly(worldName, kept.media));
      });
      return { world: worldName, checkpoint: made };
    });
  }

  /** @returns whether there was one */
  delete(world: string, name: string): boolean {
    return this.#options.files.delete(world, name);
  }

  /** What is in one of two worlds, and not in the other, or other there. Asking is no call to the second. */
  compare(world: string, other: string, signal: AbortSignal): Promise<Compared | Refusal> {
    const of = { other: this.#options.worlds.fileOf(other), world: other, snapshot: null };
    return this.#compare(world, of, signal);
  }

  /** The same of a world and a snapshot of it. */
  async compareWithSnapshot(world: string, name: string, signal: AbortSignal): Promise<Compared | Refusal> {
    const { files } = this.#options;
    if (!files.get(world, name)) return noSnapshot(world, name);
    const { file } = files.filesOf(world, name);
    return this.#compare(world, { other: file, world: null, snapshot: name }, signal);
  }

  #compare(
    world: string,
    other: Pick<CompareWork, "other" | "world" | "snapshot">,
    signal: AbortSignal,
  ): Promise<Compared | Refusal> {
    const { work, worlds } = this.#options;
    const from = worlds.fileOf(world);
    return this.#make(({ file: to }) => work.run(world, { kind: "compare", from, ...other, to }, signal));
  }

  /**
   * Reads a world as it was: a copy of a snapshot, or of the seed it was made from.
   *
   * @param name null: the seed
   */
  look<T>(world: World, name: string | null, read: (then: Database) => T): Promise<T> {
    const { files, work, worlds } = this.#options;
    return work.within(async (folder) => {
      const to = path.join(folder, "then.sqlite");
      if (name === null) worlds.seedFile(world, to);
      else
        for (const suffix of ["", "-wal"]) {
          const from = files.filesOf(world.name, name).file + suffix;
          if (suffix === "" || fs.existsSync(from)) await fs.promises.copyFile(from, to + suffix);
        }
      const then = new Database(to, { durability: "off" });
      try {
        return read(then);
      } finally {
        then.close();
      }
    });
  }

  /**
   * A world, or a snapshot of it, as a document. Its file is gone when the document was read, or is not wanted.
   *
   * @param name of a snapshot; null: the seed the world was made from; undefined: the world as it is
   * @param secrets what is masked beside the secrets of the world, where nothing is revealed
   */
  export(
    world: World,
    name: string | null | undefined,
    { reveal, secrets = [] }: { readonly reveal: boolean; readonly secrets?: readonly string[] },
    signal: AbortSignal,
  ): Promise<Exported | Refusal> {
    const { files, media, version, work, worlds } = this.#options;
    if (typeof name === "string" && !files.get(world.name, name)) return Promise.resolve(noSnapshot(world.name, name));
    const exported_at = new Date().toISOString();
    const about = { version, exported_at, world: world.name };
    return new Promise((resolve, reject) => {
      const make = async ({ folder, file, media: none }: UnfinishedSnapshot): Promise<void> => {
        const to = path.join(folder, "document.json");
        if (name === null) worlds.seedFile(world, file);
        const kept = typeof name === "string" ? files.filesOf(world.name, name) : null;
        const from = {
          from: kept?.file ?? (name === null ? file : worlds.fileOf(world.name)),
          snapshot: name === null ? "seed" : (name ?? null),
          media: kept?.media ?? (name === null ? none : media.folderOf(world.name)),
        };
        const asked = { kind: "export", ...from, to, reveal, secrets, about } as const;
        const written = await work.run(world.name, asked, signal);
        if (written instanceof Refusal) return resolve(written);
        const document = fs.createReadStream(to);
        const of = name ?? exported_at.slice(0, 19).replaceAll(":", "");
        // It may never be read: the caller may be gone.
        signal.addEventListener("abort", () => document.destroy());
        if (signal.aborted) document.destroy();
        resolve({ file_name: `${world.name}-${of}.world.json`, document });
        await new Promise<void>((closed) => document.once("close", () => closed()));
      };
      this.#make(make).catch(reject);
    });
  }

  /**
   * Imports a document as a snapshot of a world; when anything is wrong with it, nothing of it is kept.
   *
   * @param receive writes the body of `snapshots.import` into a file
   */
  import(receive: (file: string) => Promise<void>, signal: AbortSignal): Promise<SnapshotRecord | Refusal> {
    const { files, work, credentials } = this.#options;
    return this.#make(async (unfinished) => {
      const body = path.join(unfinished.folder, "body.json");
      await receive(body);
      const { file: to, media } = unfinished;
      const imported = await work.run(null, { kind: "import", from: body, to, media, credentials }, signal);
      if (imported instanceof Refusal) return imported;
      const { world, summary } = imported;
      const name = this.#nameFor(world, imported.name, "imported", false);
      if (name instanceof Refusal) return name;
      fs.rmSync(body);
      return files.finish(unfinished, { ...this.#about(world, name), kind: "imported", before: null, summary });
    });
  }
}
