// One world that this node owns, and the commits of it that wait to be stored.
import fs from "node:fs";
import { Refusal } from "../contract/errors.ts";
import { onThread } from "../snapshots/work-thread.ts";
import type { Integration } from "../storage/integrations-store.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import { createQueue } from "./database.ts";
import type { Claim } from "./ownership.ts";
import { type ChangedPages, CommittedPages, packFile, packPages } from "./pages.ts";
import { NotHeldError, type Position, type WorldStore } from "./world-store.ts";

/** A log becomes a snapshot when it exceeds this size and that of a snapshot, about a quarter of the file. */
const TRIM_BYTES = 1024 * 1024;
const SNAPSHOT_RATIO = 1 / 4;
/** Largest log to leave to the next owner, which reads all of it. */
const MAX_LEFT_BYTES = 512 * 1024;
/** Larger changes are stored as a whole world, in parts: a single statement might exceed its timeout at every try. */
const LARGE_CHANGE_BYTES = 4 * 1024 * 1024;

/** Larger files are copied on a worker thread, because copying here would block all calls. Smaller ones take 1–2 ms. */
const LARGE_BYTES = 1024 * 1024;
const enqueueLarge = createQueue();

const packOnThread = async (file: string): Promise<Buffer> => {
  const packed = await onThread("pack", { file }, new AbortController().signal, () => undefined);
  if (packed instanceof Refusal) throw new Error(packed.message);
  return Buffer.from(packed);
};

interface WorldContext {
  readonly store: WorldStore;
  readonly worlds: Worlds;
  readonly onError: (error: unknown) => void;
  /** The local copy is stale; the next owner continues from shared storage. */
  readonly lose: (held: HeldWorld) => void;
}

/** A world that this node owns or owned, and the state of its replication. */
export class HeldWorld implements Position {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number;
  /** Number of the last append. */
  seq: number;
  /** leaving: accepts no new calls; gone: no response may use it. */
  phase: "here" | "leaving" | "gone" = "here";
  /** Number of calls in it. */
  users = 0;
  /** Number of recent calls by the node that they arrived at. */
  readonly calls = new Map<string, number>();
  /** True if its file was replaced since it was stored. */
  replaced = false;
  /** As published. */
  #isPinned: boolean | undefined;
  /** All its integrations, if some of them are not stored yet. */
  integrations: readonly Integration[] = [];
  readonly #pages: CommittedPages;
  /** Size of its log, in bytes. */
  #logBytes: number;
  /** Settles when the log is no longer being turned into a snapshot. */
  #trimmed: Promise<void> = Promise.resolve();
  /** Settles when all queued changes are stored. */
  #stored: Promise<void> = Promise.resolve();
  readonly #context: WorldContext;

  /** @param inLog size of the log that earlier owners left, in bytes */
  constructor({ name, owner, epoch, seq }: Claim, inLog: number, context: WorldContext) {
    this.name = name;
    this.owner = owner;
    this.epoch = epoch;
    this.seq = seq;
    this.#pages = new CommittedPages(context.worlds.getFilePath(name));
    this.#logBytes = inLog;
    this.#context = context;
  }

  /** Call before its file is replaced or deleted. */
  changing(): void {
    this.replaced = true;
    // A deleted world has none, and the file that replaces one lists its own when it is opened.
    this.integrations = [];
    setImmediate(() => void this.awaitStored().catch(() => undefined));
  }

  /** Stores the latest commit. @throws NotHeldError */
  replicate(world: World): Promise<void> {
    const changed = this.#pages.take();
    if (this.replaced) return this.#storeWhole(this.#pack(world));
    if (!changed) return this.#stored;
    if (changed.pages.size * changed.pageBytes > LARGE_CHANGE_BYTES) return this.#storeWhole(this.#pack(world), false);
    const entry = this.takeEntry();
    const stored = this.#enqueue(() => this.#append(changed, entry));
    const most = Math.max(TRIM_BYTES, changed.filePages * changed.pageBytes * SNAPSHOT_RATIO);
    if (this.#logBytes > most) void this.#trim(this.#pack(world), stored);
    return stored;
  }

  /** Resolves when its current content is stored. @throws NotHeldError */
  async awaitStored(): Promise<void> {
    if (!this.replaced || this.phase === "gone") return this.#stored;
    const { worlds } = this.#context;
    const open = worlds.withOpenWorld(this.name, (world) => this.#pack(world));
    return this.#storeWhole(open ?? this.#requireNoFile());
  }

  /** Returns null, to store that a replaced world no longer exists. @throws NotHeldError if there is a file */
  async #requireNoFile(): Promise<null> {
    // A file that could not be opened must not replace the stored world.
    if (fs.existsSync(this.#context.worlds.getFilePath(this.name))) throw new NotHeldError(this.name);
    return null;
  }

  /** Packs its file, possibly with later commits. The file stays open and is not replaced until it is copied. */
  #pack(world: World): Promise<Buffer> {
    const { worlds } = this.#context;
    const file = worlds.getFilePath(this.name);
    const large =
      worlds.getBytes(this.name) >= LARGE_BYTES &&
      worlds.withOpenWorld(this.name, () => enqueueLarge(() => packOnThread(file)));
    // A file that is being closed can't be opened by a worker.
    return large || packFile(world.db.handle.serialize());
  }

  /** True if its entry changed without a commit. Storing a commit or the whole world publishes the entry too. */
  get isUnpublished(): boolean {
    return this.#isPinned !== this.#context.worlds.getEntry(this.name)?.pinned;
  }

  /** Returns the entry to publish, and marks it as published; null if there is no such world. */
  takeEntry(): WorldEntry | null {
    const { worlds } = this.#context;
    const entry = worlds.getEntry(this.name);
    this.#isPinned = entry?.pinned;
    if (!entry) return null;
    const open = worlds.withOpenWorld(this.name, (world) => ({
      closed: { summary: world.summary() },
      due_at: world.nextWorkAt(),
    }));
    const { closed, due_at } = open ?? entry;
    const moments = [due_at, worlds.resetsAt(entry)].filter((at) => at !== null);
    // Other nodes have no file of this world.
    const known = closed && { ...closed, changed_at: null };
    const bytes = worlds.getBytes(this.name);
    return { ...entry, closed: known, due_at: moments.length === 0 ? null : Math.min(...moments), bytes };
  }

  /** Stores everything before the world leaves. @returns the entry to publish @throws NotHeldError */
  async storeAll(): Promise<WorldEntry | null> {
    await this.#context.worlds.withOpenWorld(this.name, (world) => this.replicate(world));
    await this.awaitStored();
    if (this.#logBytes > MAX_LEFT_BYTES)
      await this.#context.worlds.withOpenWorld(this.name, (world) => this.#trim(this.#pack(world), this.#stored));
    await this.#trimmed;
    return this.takeEntry();
  }

  /**
   * Stores the whole world. A commit made during the copy is appended after it, even if the copy already contains it.
   * The copy contains at most one such commit: the writer waits for the append, and closing the world waits for the
   * copy. With two, appending the first to the copy would produce a state that never existed.
   *
   * @param packed null if the world no longer exists @param isOther true if it is a different world from before
   */
  #storeWhole(packed: Promise<Buffer | null>, isOther = true): Promise<void> {
    this.replaced = false;
    this.#logBytes = 0;
    // Avoids an unhandled rejection if packing fails while earlier changes are queued.
    packed.catch(() => undefined);
    const entry = this.takeEntry();
    return this.#enqueue(async () => this.#context.store.rebase(this, this.seq + 1, await packed, entry, isOther));
  }

  async #append(changed: ChangedPages, entry: WorldEntry | null): Promise<void> {
    const packed = await packPages(changed);
    this.#logBytes += packed.length;
    await this.#context.store.append(this, packed, entry);
  }

  #enqueue(store: () => Promise<void>): Promise<void> {
    const { integrations } = this;
    this.integrations = [];
    this.#stored = this.#stored.then(() => this.#storeNext(store, integrations));
    this.#stored.catch(() => undefined);
    return this.#stored;
  }

  async #storeNext(store: () => Promise<void>, integrations: readonly Integration[]): Promise<void> {
    if (this.phase === "gone") throw new NotHeldError(this.name);
    try {
      await store();
      this.seq += 1;
      if (integrations.length > 0) await this.#context.store.index(this, integrations);
    } catch (error) {
      this.#context.onError(error);
      this.#context.lose(this);
      throw error;
    }
  }

  /**
   * Turns the log into a snapshot in the background. Ignores lost ownership, which the next append detects.
   *
   * @param packed contains all changes appended when `appended` resolves, and possibly later ones
   */
  #trim(packed: Promise<Buffer>, appended: Promise<void>): Promise<void> {
    this.#logBytes = 0;
    const { store, onError } = this.#context;
    const trim = async (): Promise<void> => {
      const { name, owner, epoch } = this;
      const [whole, seq] = await Promise.all([packed, appended.then(() => this.seq)]);
      // The log must have everything that the copy has, or a reader would mix the copy with a part of a later change.
      await this.#stored;
      await store.rebase({ name, owner, epoch, seq }, seq, whole);
    };
    this.#trimmed = trim().catch(onError);
    return this.#trimmed;
  }
}
