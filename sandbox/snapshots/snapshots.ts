import fs from "node:fs";
import path from "node:path";
import type { GivenCredentials, Quotas } from "../config.ts";
import type { DestructiveAct, worldsCompare } from "../contract/control/snapshot-operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import type { RequestOf } from "../contract/operation.ts";
import type { OriginalTime } from "../rules/scenarios/recorded-steps.ts";
import { createSnapshotName, isSnapshotName, surplusCheckpoints } from "../rules/worlds/snapshot-name.ts";
import { DEFAULT_WORLD, worldFileName } from "../rules/worlds/world-name.ts";
import type { ScenarioClient } from "../scenario/scenario-client.ts";
import { isDiskFailure } from "../storage/disk-failure.ts";
import { realTime } from "../storage/real-time.ts";
import { linkOrCopyFile } from "../storage/sync.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { MediaFiles } from "../uploads/media-files.ts";
import type { World } from "../worlds/world.ts";
import type { KeepClosedFile } from "../worlds/world-leases.ts";
import type { Worlds } from "../worlds/worlds.ts";
import type { LongWork } from "./long-work.ts";
import type { StartPoint } from "./record-scenario.ts";
import { type RepetitionResult, repeatSteps } from "./repeat-steps.ts";
import {
  folderSize,
  type SnapshotFiles,
  type SnapshotRecord,
  snapshotBytes,
  snapshotPaths,
  type UnfinishedSnapshot,
} from "./snapshot-files.ts";
import type { OnProgress } from "./work.ts";
import { onThread } from "./work-thread.ts";
import type { WorkRequest, WorkResult } from "./worker.ts";

interface SnapshotsOptions {
  readonly worlds: Worlds;
  readonly files: SnapshotFiles;
  readonly media: MediaFiles;
  readonly work: LongWork;
  /** The service's own credentials; null: the documented ones. */
  readonly credentials: GivenCredentials | null;
  readonly version: string;
  /** Limits on a world's snapshots: their number and total size (D86). */
  readonly quotas: Pick<Quotas, "snapshots" | "snapshotMebibytes">;
  /**
   * Runs a private service on a data folder: it sends nothing and nobody else can reach it. @param repeats times of its
   * calls
   */
  readonly apart: <T>(
    folder: string,
    repeats: () => OriginalTime | undefined,
    run: (client: ScenarioClient) => Promise<T>,
  ) => Promise<T>;
}

/** A changed world and the checkpoint that undoes the change; null when there is nothing to undo. */
export interface ChangeResult {
  readonly world: string;
  readonly checkpoint: string | null;
}

/** The other side of a comparison: a world, or a snapshot of the same world. */
type OtherSide = RequestOf<typeof worldsCompare>["with"];

/** A world created from another as of before a call, with the result of the repetition. */
interface BranchResult extends RepetitionResult {
  readonly from_snapshot: string | null;
  readonly notes: readonly string[];
}

export interface ExportedDocument {
  readonly file_name: string;
  readonly document: fs.ReadStream;
}

const noSnapshot = (world: string, name: string): Refusal =>
  refuse("not_found", `/name ${name}: world ${world} has no such snapshot`);
const MEBIBYTE = 1024 * 1024;

/** Converts a failed write (disk full or failing, folder not writable) to a refusal. */
const asNotDurable = (error: unknown): unknown =>
  isDiskFailure(error) || (error instanceof Error && "syscall" in error) ? new NotDurableError(error) : error;

/** Saved copies of worlds: saved by users, imported, or saved before a destructive act. */
export class Snapshots {
  readonly #options: SnapshotsOptions;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  get work(): LongWork {
    return this.#options.work;
  }

  /** Newest first. @param world null: all worlds */
  list(world: string | null): SnapshotRecord[] {
    return this.#options.files.all().filter((record) => world === null || record.world === world);
  }

  /** Time of a world's last deletion until then, by its checkpoint; null if none is kept. Milliseconds since 1970. */
  deletedAt(world: string, until: number): number | null {
    const isDeletion = ({ before, created_at }: SnapshotRecord): boolean => before === "delete" && created_at <= until;
    return this.list(world).find(isDeletion)?.created_at ?? null;
  }

  #about(world: string, name: string): Pick<SnapshotRecord, "name" | "world" | "version" | "created_at"> {
    return { name, world, version: this.#options.version, created_at: realTime() };
  }

  #freeName(world: string, what: Parameters<typeof createSnapshotName>[0]): string {
    return createSnapshotName(what, realTime(), (name) => this.#options.files.get(world, name) !== undefined);
  }

  /** Returns why a requested name is not available, or null. */
  #refusedName(world: string, name: string | undefined): Refusal | null {
    if (name === undefined) return null;
    if (!isSnapshotName(name)) return refuse("bad_request", "/name must be 1 to 64 of A–Z a–z 0–9 . _ -");
    return this.#options.files.get(world, name)
      ? refuse("bad_request", `/name ${name} already exists. Delete that snapshot first, or choose another name`)
      : null;
  }

  /**
   * Returns why a world can't have another snapshot of this size, or null (D86). Saved snapshots are never deleted to
   * make room. Checkpoints have their own limits, and their oldest are deleted.
   */
  #refusedRoom(world: string, bytes: number): Refusal | null {
    const { snapshots: most, snapshotMebibytes } = this.#options.quotas;
    const own = this.list(world).filter(({ kind }) => kind !== "checkpoint");
    if (own.length >= most)
      return refuse(
        "unprocessable",
        `World ${world} already has ${most} snapshots, the limit. Delete one first (checkpoints don’t count)`,
      );
    const held = own.reduce((sum, one) => sum + one.bytes, 0);
    if (held + bytes <= snapshotMebibytes * MEBIBYTE) return null;
    const [has, needs] = [held, bytes].map((one) => Math.ceil(one / MEBIBYTE));
    return refuse(
      "unprocessable",
      `The snapshots of world ${world} may take ${snapshotMebibytes} MiB together; they take ${has} MiB, and this one needs ${needs} MiB. Delete some first (checkpoints don’t count)`,
    );
  }

  /** Publishes finished files as a snapshot. Concurrent requests for a name: the first gets it. */
  #finish(
    unfinished: UnfinishedSnapshot,
    name: string | undefined,
    about: Pick<SnapshotRecord, "world" | "summary"> & { readonly kind: "saved" | "imported" },
  ): SnapshotRecord | Refusal {
    const refused = this.#refusedName(about.world, name) ?? this.#refusedRoom(about.world, snapshotBytes(unfinished));
    if (refused) return refused;
    const { files } = this.#options;
    const named = name ?? this.#freeName(about.world, about.kind === "saved" ? "snapshot" : "imported");
    return files.finish(unfinished, { ...this.#about(about.world, named), ...about, before: null });
  }

  /** Saves a world while it stays in use. */
  async save(world: string, name: string | undefined, signal: AbortSignal): Promise<SnapshotRecord | Refusal> {
    const { media, work, worlds } = this.#options;
    // Checked before the copy: a full disk would stop every world.
    const about = worlds.getBytes(world) + folderSize(media.getFolder(world));
    const refused = this.#refusedName(world, name) ?? this.#refusedRoom(world, about);
    if (refused) return refused;
    return this.#make(async (unfinished) => {
      const copy = { from: worlds.getFilePath(world), to: unfinished.file, pending: "kept" } as const;
      const summary = await work.run("copy", [world], copy, signal);
      if (summary instanceof Refusal) return summary;
      // Pictures follow the file, so none that it names can be missing: they are only added within one world.
      media.saveTo(world, unfinished.media);
      return this.#finish(unfinished, name, { world, kind: "saved", summary });
    });
  }

  /** Copies a world to an unused name; pending deliveries stay with the original. */
  copy(world: string, to: string, signal: AbortSignal): Promise<Refusal | null> {
    const { media, work, worlds } = this.#options;
    return this.#make(async ({ file }) => {
      const copy = { from: worlds.getFilePath(world), to: file, pending: "left out" } as const;
      const copied = await work.run("copy", [world], copy, signal, to);
      if (copied instanceof Refusal) return copied;
      return this.#begin("/to", to, file, media.getFolder(world));
    });
  }

  /**
   * Creates a world at an unused name as another was before a call. A private service repeats the calls in a temporary
   * folder: nothing is sent, and the world appears only when complete.
   */
  branch(
    world: string,
    to: string,
    input: Pick<WorkRequest<"branch">, "request_id" | "baseUrl">,
    signal: AbortSignal,
  ): Promise<BranchResult | Refusal> {
    const { media, work, worlds, apart } = this.#options;
    return this.#make(async ({ folder }) => {
      const own = path.join(folder, "service");
      const file = path.join(own, "worlds", worldFileName(DEFAULT_WORLD));
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const plan = { ...input, world, file: worlds.getFilePath(world), to: file };
      const seed = path.join(folder, "seed.sqlite");
      const beginnings = worlds.use(world, (found) => this.#beginnings(found, seed));
      const carryOut = async (ending: AbortSignal, onProgress: OnProgress): Promise<BranchResult | Refusal> => {
        const found = await onThread("branch", { ...plan, beginnings }, ending, () => undefined);
        if (found instanceof Refusal) return found;
        const { scenario, from: from_snapshot, notes, times, clock, entries } = found;
        let step = 0;
        const repeated = await apart(
          own,
          () => times[step],
          (client) =>
            repeatSteps(client, DEFAULT_WORLD, scenario, ending, (repeatedSteps) => {
              onProgress(repeatedSteps / times.length);
              step = Math.min(repeatedSteps, times.length - 1);
            }),
        );
        const finished = await onThread("finish", { file, of: plan.file, clock, entries }, ending, () => undefined);
        return finished ?? { ...repeated, from_snapshot, notes };
      };
      const branched = await work.inTurn("branch", [world], carryOut, signal, to);
      if (branched instanceof Refusal) return branched;
      return (await this.#begin("/to", to, file, media.getFolder(world))) ?? branched;
    });
  }

  /** Returns starting points for a repetition: the world's snapshots, and its seed written to a file. */
  #beginnings(world: World, seed: string): StartPoint[] {
    const { files, worlds } = this.#options;
    worlds.seedFile(world, seed);
    const snapshots = this.list(world.name).map(({ name, created_at: at }) => ({
      ...{ name, at },
      ...files.filesOf(world.name, name),
    }));
    return [
      ...snapshots,
      { name: null, at: world.db.epoch, file: seed, media: path.join(path.dirname(seed), "media") },
    ];
  }

  /**
   * Creates a world from a finished file; the name may be taken by now. @param field the request field with the name
   */
  async #begin(field: string, to: string, file: string, pictures: string): Promise<Refusal | null> {
    const { worlds, media } = this.#options;
    if (worlds.has(to)) return refuse("bad_request", `${field} ${to} already exists. Choose another name`);
    media.addFrom(to, pictures);
    await worlds.admin.begin(to, file);
    return null;
  }

  /** Runs work on temporary files, which are deleted unless moved. */
  async #make<T>(run: (unfinished: UnfinishedSnapshot) => Promise<T>): Promise<T> {
    try {
      return await this.#options.work.within((folder) => run(snapshotPaths(folder)));
    } catch (error) {
      throw asNotDurable(error);
    }
  }

  /** Saves a world's closed file before its loss. @returns the checkpoint's name */
  #checkpoint(
    world: string,
    before: DestructiveAct,
    unfinished: UnfinishedSnapshot,
    closed: Parameters<KeepClosedFile>,
  ): string {
    const { files, media } = this.#options;
    const [file, summary, pinned] = closed;
    // A full disk leaves a write-ahead log beside the file.
    for (const suffix of ["", "-wal"])
      if (fs.existsSync(file + suffix)) linkOrCopyFile(file + suffix, unfinished.file + suffix);
    media.saveTo(world, unfinished.media);
    const about = this.#about(world, this.#freeName(world, `before-${before}`));
    return files.finish(unfinished, { ...about, kind: "checkpoint", before, summary, pinned }).name;
  }

  /** Runs a destructive act after saving a checkpoint. @returns the checkpoint; null when there was nothing to save */
  #undoably(
    name: string,
    before: DestructiveAct,
    wanted: boolean,
    act: (keep?: KeepClosedFile) => Promise<void>,
  ): Promise<string | null> {
    const { files, work } = this.#options;
    return this.#make(async (unfinished) => {
      // Running work would continue on a deleted file.
      await work.end(name);
      let checkpoint: string | null = null;
      const keep: KeepClosedFile = (...closed) => {
        const saved = this.#checkpoint(name, before, unfinished, closed);
        checkpoint = saved;
        return () => void files.delete(name, saved);
      };
      await act(wanted ? keep : undefined);
      for (const one of surplusCheckpoints(files.all().filter(({ kind }) => kind === "checkpoint")))
        files.delete(one.world, one.name);
      return checkpoint;
    });
  }

  /** Resets a world to its seed. */
  async reset(world: string, checkpoint: boolean): Promise<ChangeResult> {
    const { worlds } = this.#options;
    const savedCheckpoint = await this.#undoably(world, "reset", checkpoint, (keep) => worlds.admin.reset(world, keep));
    return { world, checkpoint: savedCheckpoint };
  }

  /** Deletes a world. @returns the checkpoint */
  remove(world: string, checkpoint: boolean): Promise<string | null> {
    return this.#undoably(world, "delete", checkpoint, (keep) => this.#options.worlds.admin.remove(world, keep));
  }

  /** Restores a world from a snapshot. */
  async restore(
    worldName: string,
    name: string,
    checkpoint: boolean,
    signal: AbortSignal,
  ): Promise<ChangeResult | Refusal> {
    const { files, worlds, media, work } = this.#options;
    const record = files.get(worldName, name);
    if (!record) return noSnapshot(worldName, name);
    const source = files.filesOf(worldName, name);
    return this.#make(async (unfinished) => {
      const prepared = await work.run("restore", [worldName], { from: source.file, to: unfinished.file, name }, signal);
      // The snapshot may have been deleted during the wait.
      if (!files.get(worldName, name)) return noSnapshot(worldName, name);
      if (prepared instanceof Refusal) return prepared;
      const savedCheckpoint = await this.#undoably(worldName, "restore", checkpoint, async (keep) => {
        const pinnedAgain = record.pinned === true && !worlds.has(worldName);
        // Pictures are immutable; extra ones are harmless until the next reset.
        media.addFrom(worldName, source.media);
        await worlds.admin.replace(worldName, unfinished.file, keep);
        if (pinnedAgain) worlds.pin(worldName, true);
      });
      return { world: worldName, checkpoint: savedCheckpoint };
    });
  }

  /** Creates a world at an unused name from another's snapshot. @returns null on success */
  async begin(to: string, worldName: string, name: string, signal: AbortSignal): Promise<Refusal | null> {
    const { files, work } = this.#options;
    if (!files.get(worldName, name)) return noSnapshot(worldName, name);
    const source = files.filesOf(worldName, name);
    return this.#make(async (unfinished) => {
      const input = { from: source.file, to: unfinished.file, name };
      const prepared = await work.run("restore", [worldName], input, signal, to);
      if (prepared instanceof Refusal) return prepared;
      return this.#begin("/world", to, unfinished.file, source.media);
    });
  }

  /** @returns whether it existed */
  delete(world: string, name: string): boolean {
    return this.#options.files.delete(world, name);
  }

  /** Compares a world (here) with another, or with a snapshot of its own (there). */
  async compare(world: string, other: OtherSide, signal: AbortSignal): Promise<WorkResult<"compare"> | Refusal> {
    const { files, work, worlds } = this.#options;
    const snapshot = other.snapshot ?? null;
    if (snapshot !== null && !files.get(world, snapshot)) return noSnapshot(world, snapshot);
    const there = snapshot === null ? worlds.getFilePath(other.world ?? world) : files.filesOf(world, snapshot).file;
    return this.#make(({ file: to }) =>
      work.run(
        "compare",
        other.world === undefined ? [world] : [world, other.world],
        { from: worlds.getFilePath(world), other: there, snapshot, to },
        signal,
      ),
    );
  }

  /**
   * Exports a world or a snapshot as a document. The file is deleted after it was read or discarded.
   *
   * @param name of a snapshot; undefined: the current world
   */
  export(
    world: World,
    name: string | undefined,
    { reveal }: { readonly reveal: boolean },
    signal: AbortSignal,
  ): Promise<ExportedDocument | Refusal> {
    const { files, media, version, work, worlds } = this.#options;
    if (name !== undefined && !files.get(world.name, name)) return Promise.resolve(noSnapshot(world.name, name));
    const exported_at = new Date(realTime()).toISOString();
    const about = { version, exported_at, world: world.name };
    const label = name ?? exported_at.slice(0, 19).replaceAll(":", "");
    return this.#read(signal, async ({ folder, file: copy }) => {
      const to = path.join(folder, "document.json");
      const live = { file: worlds.getFilePath(world.name), media: media.getFolder(world.name) };
      const { file: from, media: pictures } = name === undefined ? live : files.filesOf(world.name, name);
      const input = { from, snapshot: name ?? null, copy, media: pictures, to, reveal, secrets: [], about };
      return (await work.run("export", [world.name], input, signal)) ?? to;
    }).then((document) =>
      document instanceof Refusal ? document : { file_name: `${world.name}-${label}.world.json`, document },
    );
  }

  /** Writes the response of `scenarios.record`. The file is deleted after it was read or discarded. */
  record(
    world: World,
    input: Omit<WorkRequest<"record">, "file" | "beginnings" | "folder" | "to" | "about">,
    signal: AbortSignal,
  ): Promise<fs.ReadStream | Refusal> {
    const { version, work, worlds } = this.#options;
    return this.#read(signal, async ({ folder }) => {
      const to = path.join(folder, "scenario.json");
      const beginnings = this.#beginnings(world, path.join(folder, "seed.sqlite"));
      const about = { version, world: world.name };
      const plan = { ...input, file: worlds.getFilePath(world.name), beginnings, folder, to, about };
      return (await work.run("record", [world.name], plan, signal)) ?? to;
    });
  }

  /** A file that is deleted once it was read. */
  #read(
    signal: AbortSignal,
    make: (unfinished: UnfinishedSnapshot) => Promise<string | Refusal>,
  ): Promise<fs.ReadStream | Refusal> {
    return new Promise((resolve, reject) => {
      this.#make(async (unfinished) => {
        const documentFile = await make(unfinished);
        if (documentFile instanceof Refusal) return resolve(documentFile);
        const document = fs.createReadStream(documentFile);
        // The caller may disconnect before reading it.
        signal.addEventListener("abort", () => document.destroy());
        if (signal.aborted) document.destroy();
        resolve(document);
        await new Promise<void>((closed) => document.once("close", () => closed()));
      }).catch(reject);
    });
  }

  /**
   * Imports a document as a snapshot of a world; an invalid document leaves nothing behind.
   *
   * @param receive writes the body of `snapshots.import` to a file
   */
  import(receive: (file: string) => Promise<void>, signal: AbortSignal): Promise<SnapshotRecord | Refusal> {
    const { work, credentials } = this.#options;
    return this.#make(async (unfinished) => {
      const body = path.join(unfinished.folder, "body.json");
      await receive(body);
      const { file: to, media } = unfinished;
      const imported = await work.run("import", [], { from: body, to, media, credentials }, signal);
      if (imported instanceof Refusal) return imported;
      fs.rmSync(body);
      return this.#finish(unfinished, imported.name, {
        world: imported.world,
        kind: "imported",
        summary: imported.summary,
      });
    });
  }
}
