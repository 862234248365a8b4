import fs from "node:fs";
import { Refusal } from "../contract/errors.ts";
import { onThread } from "../snapshots/work-thread.ts";
import type { Integration } from "../storage/integrations-store.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { inTurn } from "./database.ts";
import type { Claimed } from "./ownership.ts";
import { type ChangedPages, CommittedPages, packFile, packPages } from "./pages.ts";
import { NotHeldError, type Position, type WorldStore } from "./world-store.ts";

/** The log of a world becomes a snapshot when it is larger than this, and than a snapshot, which is about a quarter of the file. */
const TRIM_BYTES = 1024 * 1024;
const SNAPSHOT_PART = 1 / 4;
/** Who gives a world up leaves no more in its log: the next owner reads all of it. */
const LEFT_BYTES = 512 * 1024;
/** What changes more is stored as a whole world, in parts: one statement with all of it might take too long, time and again. */
const LARGE_CHANGE_BYTES = 4 * 1024 * 1024;

/** The file of a larger world is copied on a thread: here it would hold up everybody. A small one takes a millisecond or two. */
const LARGE_BYTES = 1024 * 1024;
const largeInTurn = inTurn();

const packOnThread = async (file: string): Promise<Buffer> => {
  const packed = await onThread("pack", { file }, new AbortController().signal, () => undefined);
  if (packed instanceof Refusal) throw new Error(packed.message);
  return Buffer.from(packed);
};

interface Around {
  readonly store: WorldStore;
  readonly worlds: Worlds;
  readonly troubled: (error: unknown) => void;
  /** What is here of it counts for nothing any more; the next owner goes on with what is stored. */
  readonly lose: (held: HeldWorld) => void;
}

/** A world that belongs to this node, or did, and what of it is stored. */
export class HeldWorld implements Position {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number;
  /** Of what was appended last. */
  seq: number;
  /** leaving: no call comes to it any more; gone: nothing leaves from it any more. */
  phase: "here" | "leaving" | "gone" = "here";
  /** The calls in it. */
  users = 0;
  /** How many came lately, by the nodes that they arrived at. */
  readonly calls = new Map<string, number>();
  /** Its file is another one than what is stored. */
  replaced = false;
  /** It was stored whole, of which nothing is noted. */
  #unnoted = false;
  #isPinned: boolean | undefined;
  /** Those in it, where others may not find all of them yet. */
  integrations: readonly Integration[] = [];
  readonly #pages: CommittedPages;
  /** How many bytes are in its log. */
  #inLog: number;
  /** Settles when the log is no longer being folded. */
  #trimmed: Promise<void> = Promise.resolve();
  /** Settles when all that was handed over is stored. */
  #stored: Promise<void> = Promise.resolve();
  readonly #around: Around;

  /** @param inLog how many bytes are in the log that earlier owners left: who takes it over has to read them all */
  constructor({ name, owner, epoch, seq }: Claimed, inLog: number, around: Around) {
    this.name = name;
    this.owner = owner;
    this.epoch = epoch;
    this.seq = seq;
    this.#pages = new CommittedPages(around.worlds.getFilePath(name));
    this.#inLog = inLog;
    this.#around = around;
  }

  /** Its file is about to be another one, or none. */
  changing(): void {
    this.replaced = true;
    setImmediate(() => void this.settled().catch(() => undefined));
  }

  /** Stores what was just committed. @throws NotHeldError */
  replicate(world: World): Promise<void> {
    const changed = this.#pages.take();
    if (this.replaced) return this.#storeWhole(this.#packed(world));
    if (!changed) return this.#stored;
    if (changed.pages.size * changed.pageBytes > LARGE_CHANGE_BYTES)
      return this.#storeWhole(this.#packed(world), false);
    const entry = this.noted();
    const stored = this.#handOver(() => this.#append(changed, entry));
    const most = Math.max(TRIM_BYTES, changed.filePages * changed.pageBytes * SNAPSHOT_PART);
    if (this.#inLog > most) void this.#trim(this.#packed(world), stored);
    return stored;
  }

  /** Resolves when all that is in it by now is stored. @throws NotHeldError */
  async settled(): Promise<void> {
    if (!this.replaced || this.phase === "gone") return this.#stored;
    const { worlds } = this.#around;
    const open = worlds.lookIfOpen(this.name, (world) => this.#packed(world));
    return this.#storeWhole(open ?? this.#unopened());
  }

  /** What is stored in the place of a world whose file is not open: nothing. */
  async #unopened(): Promise<null> {
    // There is a file where it could not be opened: what was stored before is better than that.
    if (fs.existsSync(this.#around.worlds.getFilePath(this.name))) throw new NotHeldError(this.name);
    return null;
  }

  /** Its file as it is by now, or with what is committed meanwhile: nobody closes or replaces it until it is copied. */
  #packed(world: World): Promise<Buffer> {
    const { worlds } = this.#around;
    const file = worlds.getFilePath(this.name);
    const large =
      worlds.getBytes(this.name) >= LARGE_BYTES &&
      worlds.lookIfOpen(this.name, () => largeInTurn(() => packOnThread(file)));
    // One that is being closed nobody else may open any more.
    return large || packFile(world.db.handle.serialize());
  }

  /** Whether others know less of it than {@link noted} says. Each append says it, too. */
  get unnoted(): boolean {
    return this.#unnoted || this.#isPinned !== this.#around.worlds.getEntry(this.name)?.pinned;
  }

  /** What others may know of it by now, and when something is due in it; null: there is no such world. */
  noted(): WorldEntry | null {
    const { worlds } = this.#around;
    const entry = worlds.getEntry(this.name);
    this.#unnoted = false;
    this.#isPinned = entry?.pinned;
    if (!entry) return null;
    const open = worlds.lookIfOpen(this.name, (world) => ({
      closed: { summary: world.summary() },
      due_at: world.nextWorkAt(),
    }));
    const { closed, due_at } = open ?? entry;
    const moments = [due_at, worlds.resetsAt(entry)].filter((at) => at !== null);
    // Others have no file of it.
    const known = closed && { ...closed, changed_at: null };
    const bytes = worlds.getBytes(this.name);
    return { ...entry, closed: known, due_at: moments.length === 0 ? null : Math.min(...moments), bytes };
  }

  /** Has all of it stored. @returns as {@link noted} @throws NotHeldError */
  async last(): Promise<WorldEntry | null> {
    await this.#around.worlds.lookIfOpen(this.name, (world) => this.replicate(world));
    await this.settled();
    if (this.#inLog > LEFT_BYTES)
      await this.#around.worlds.lookIfOpen(this.name, (world) => this.#trim(this.#packed(world), this.#stored));
    await this.#trimmed;
    return this.noted();
  }

  /**
   * What is committed while it is copied is appended after it, page for page: again where the copy has it already. That is
   * one commit at most: its world's writer waits until it is appended, unless the world is closed, and that waits for the
   * copy. A copy with two of them and the first appended would be a world that never was.
   *
   * @param packed null: there is none any more @param isOther whether it is another world than before
   */
  #storeWhole(packed: Promise<Buffer | null>, isOther = true): Promise<void> {
    this.replaced = false;
    this.#inLog = 0;
    // It may fail before its turn comes.
    packed.catch(() => undefined);
    this.#unnoted = true;
    return this.#handOver(async () => this.#around.store.rebase(this, this.seq + 1, await packed, isOther));
  }

  async #append(changed: ChangedPages, entry: WorldEntry | null): Promise<void> {
    const packed = await packPages(changed);
    this.#inLog += packed.length;
    await this.#around.store.append(this, packed, entry);
  }

  #handOver(store: () => Promise<void>): Promise<void> {
    const { integrations } = this;
    this.integrations = [];
    this.#stored = this.#stored.then(() => this.#storing(store, integrations));
    this.#stored.catch(() => undefined);
    return this.#stored;
  }

  async #storing(store: () => Promise<void>, integrations: readonly Integration[]): Promise<void> {
    if (this.phase === "gone") throw new NotHeldError(this.name);
    try {
      await store();
      this.seq += 1;
      if (integrations.length > 0) await this.#around.store.index(this, integrations);
    } catch (error) {
      this.#around.troubled(error);
      this.#around.lose(this);
      throw error;
    }
  }

  /**
   * Beside what goes on: who is fenced out finds out with the next append.
   *
   * @param packed holds what is appended when `appended` resolves, and may hold more
   */
  #trim(packed: Promise<Buffer>, appended: Promise<void>): Promise<void> {
    this.#inLog = 0;
    const { store, troubled } = this.#around;
    const trim = async (): Promise<void> => {
      const { name, owner, epoch } = this;
      const [whole, seq] = await Promise.all([packed, appended.then(() => this.seq)]);
      // Only once all that the copy holds is in the log as well: who reads a part of that after the copy would mix the two.
      await this.#stored;
      await store.rebase({ name, owner, epoch, seq }, seq, whole);
    };
    this.#trimmed = trim().catch(troubled);
    return this.#trimmed;
  }
}
