import fs from "node:fs";
import type { Integration } from "../storage/integrations-store.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import type { Claimed } from "./ownership.ts";
import { type ChangedPages, CommittedPages, packFile, packPages } from "./pages.ts";
import { NotHeldError, type Position, type WorldStore } from "./world-store.ts";

/** The log of a world becomes a snapshot when it has so many pages, and no fewer than the file. */
const TRIM_PAGES = 2_000;

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
  /** Its file is another one than what is stored. */
  replaced = false;
  /** Something happened in it since it was noted what is in it. */
  unnoted = false;
  /** Those in it, where others may find others yet. */
  integrations: readonly Integration[] | null = null;
  readonly #pages: CommittedPages;
  /** How many pages were appended since the last snapshot. */
  #appended = 0;
  /** Settles when all that was handed over is stored. */
  #stored: Promise<void> = Promise.resolve();
  readonly #around: Around;

  constructor({ name, owner, epoch, seq }: Claimed, around: Around) {
    this.name = name;
    this.owner = owner;
    this.epoch = epoch;
    this.seq = seq;
    this.#pages = new CommittedPages(around.worlds.fileOf(name));
    this.#around = around;
  }

  /** Its file is about to be another one, or none. */
  changing(): void {
    this.replaced = true;
    setImmediate(() => void this.settled().catch(() => undefined));
  }

  /** Stores what was just committed. @throws NotHeldError */
  replicate({ db }: World): Promise<void> {
    const changed = this.#pages.take();
    if (this.replaced) return this.#storeWhole(db.handle.serialize());
    if (!changed) return this.#stored;
    this.#appended += changed.pages.size;
    const stored = this.#handOver(() => this.#append(changed));
    if (this.#appended > Math.max(TRIM_PAGES, changed.filePages)) this.#trim(db.handle.serialize());
    return stored;
  }

  /** Resolves when all that is in it by now is stored. @throws NotHeldError */
  async settled(): Promise<void> {
    if (!this.replaced || this.phase === "gone") return this.#stored;
    const { worlds } = this.#around;
    const open = worlds.lookIfOpen(this.name, (world) => world.db.handle.serialize());
    const file = worlds.fileOf(this.name);
    return this.#storeWhole(open ?? (fs.existsSync(file) ? fs.readFileSync(file) : null));
  }

  /** What others may know of it by now, and when something is due in it; null: there is no such world. */
  noted(): WorldEntry | null {
    const { worlds } = this.#around;
    this.unnoted = false;
    const entry = worlds.entryOf(this.name);
    if (!entry) return null;
    const open = worlds.lookIfOpen(this.name, (world) => ({
      closed: { summary: world.summary() },
      due_at: world.nextDueAt(),
    }));
    const { closed, due_at } = open ?? entry;
    const moments = [due_at, worlds.resetsAt(entry)].filter((at) => at !== null);
    // Others have no file of it.
    const known = closed && { ...closed, changed_at: null };
    const bytes = worlds.bytesOf(this.name);
    return { ...entry, closed: known, due_at: moments.length === 0 ? null : Math.min(...moments), bytes };
  }

  /** Has all of it stored. @returns as {@link noted} @throws NotHeldError */
  async last(): Promise<WorldEntry | null> {
    await this.#around.worlds.lookIfOpen(this.name, (world) => this.replicate(world));
    await this.settled();
    return this.noted();
  }

  /** @param whole null: there is none any more */
  #storeWhole(whole: Buffer | null): Promise<void> {
    this.replaced = false;
    this.#appended = 0;
    return this.#handOver(async () => this.#around.store.rebase(this, this.seq + 1, whole && (await packFile(whole))));
  }

  async #append(changed: ChangedPages): Promise<void> {
    await this.#around.store.append(this, await packPages(changed));
  }

  #handOver(store: () => Promise<void>): Promise<void> {
    this.unnoted = true;
    const { integrations } = this;
    this.integrations = null;
    const both = async (): Promise<void> => {
      // First: an ID that nobody was given is found by nobody.
      if (integrations) await this.#around.store.index(this, integrations);
      await store();
    };
    this.#stored = this.#stored.then(() => this.#storing(both));
    this.#stored.catch(() => undefined);
    return this.#stored;
  }

  async #storing(store: () => Promise<void>): Promise<void> {
    if (this.phase === "gone") throw new NotHeldError(this.name);
    try {
      await store();
      this.seq += 1;
    } catch (error) {
      this.#around.troubled(error);
      this.#around.lose(this);
      throw error;
    }
  }

  /** Beside what goes on: who is fenced out finds out with the next append. */
  #trim(whole: Buffer): void {
    this.#appended = 0;
    const { store, troubled } = this.#around;
    const trim = async (): Promise<void> => {
      const { name, owner, epoch, seq } = this;
      await store.rebase({ name, owner, epoch, seq }, seq, await packFile(whole));
    };
    void this.#stored.then(trim).catch(troubled);
  }
}
