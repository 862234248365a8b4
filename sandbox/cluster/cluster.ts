import fs from "node:fs";
import type { WorldEntry } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { Sharing } from "../worlds/sharing.ts";
import type { World } from "../worlds/world.ts";
import type { Worlds } from "../worlds/worlds.ts";
import type { Claim, NodeAbout, Noted, Ownership } from "./ownership.ts";
import { type ChangedPages, CommittedPages, packFile, packPages } from "./pages.ts";
import type { SharedAccess } from "./shared-access.ts";
import type { SharedAudit } from "./shared-audit.ts";
import type { SharedFiles } from "./shared-files.ts";
import type { Position, WorldStore } from "./world-store.ts";

/** The log of a world becomes a snapshot when it has so many pages, and no fewer than the file. */
const TRIM_PAGES = 8_000;
/** How often it is looked for worlds that other nodes ask for, and how long a call waits for one that it asked for. */
const WANTED_EVERY_MS = 100;
const CLAIM_MS = 3_000;
/** How long a world that is to move waits for the calls in it. */
const DRAIN_MS = 2_000;
const LOOK_EVERY_MS = 1_000;
/** A balancer asks every second whether a node is well; in this time one that stops is found out. */
const CHECKED_LATELY_MS = 5_000;
const LEAVING_MS = 2_500;
const ELSEWHERE_EVERY_MS = 10_000;
const CLEARED_EVERY_MS = 3_600_000;
/** Of so many worlds at a time it is noted what is in them. */
const NOTED_AT_ONCE = 20;

/** Another node has the world, or this one can't be sure that it has it: the caller tries again. */
export class NotHeldError extends NotDurableError {
  readonly retryAfterSeconds: number;

  constructor(name: string, cause?: unknown, waitMs = 0) {
    super(
      cause,
      `The world ${name} is moving to another node. Try again in a moment; check first whether a change was made.`,
    );
    this.name = "NotHeldError";
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  }
}

/** A world that belongs to this node, or did. */
export interface Held {
  readonly name: string;
  readonly epoch: number;
  /** Of what was appended last. */
  seq: number;
  /** leaving: no call comes to it any more; gone: nothing leaves from it any more. */
  phase: "here" | "leaving" | "gone";
  /** The calls in it. */
  users: number;
  /** Its file is another one than what is stored. */
  replaced: boolean;
  readonly pages: CommittedPages;
  /** How many pages were appended since the last snapshot. */
  appended: number;
  /** Settles when all that was handed over is stored. */
  stored: Promise<void>;
  /** Something happened in it since it was noted what is in it. */
  unnoted: boolean;
  pinned: boolean;
  readonly ended: PromiseWithResolvers<void>;
}

/** What a node shares with others. */
interface Shared {
  readonly worlds: Worlds;
  readonly files: SharedFiles;
  readonly access: SharedAccess;
  readonly audit: SharedAudit;
}

type Later = Extract<Claim, { readonly againMs: number }>;
type Content = { readonly changed: ChangedPages } | { readonly whole: Buffer } | null;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The worlds of a node among several: takes and gives them up, and has all that is committed in them stored where others find it. */
export class Cluster implements Sharing {
  readonly #store: WorldStore;
  readonly #ownership: Ownership;
  readonly #troubled: (error: unknown) => void;
  readonly #held = new Map<string, Held>();
  readonly #claims = new Map<string, Promise<Later | null>>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** When somebody last asked whether it is well, in milliseconds since 1970. */
  checkedAt = 0;
  isLeaving = false;
  #shared: Shared | null = null;
  #elsewhere: readonly WorldEntry[] = [];

  constructor(store: WorldStore, ownership: Ownership, troubled: (error: unknown) => void) {
    this.#store = store;
    this.#ownership = ownership;
    this.#troubled = troubled;
  }

  get node(): string {
    return this.#ownership.node;
  }

  get isFresh(): boolean {
    return this.#ownership.isFresh;
  }

  /** From now on worlds come and go. */
  async join(shared: Shared, { deliveries, ...node }: NodeAbout & { readonly deliveries: boolean }): Promise<void> {
    this.#shared = shared;
    await this.#ownership.start(node, () => this.#dropLost(), this.#troubled);
    await this.lookElsewhere();
    this.#every(WANTED_EVERY_MS, () => this.#giveWanted());
    this.#every(LOOK_EVERY_MS, () => this.#note());
    this.#every(LOOK_EVERY_MS, () => shared.access.pull());
    this.#every(ELSEWHERE_EVERY_MS, () => this.lookElsewhere());
    this.#every(CLEARED_EVERY_MS, () => Promise.all([shared.files.clear(), shared.audit.clear()]));
    if (deliveries) this.#every(LOOK_EVERY_MS, () => this.#takeDue());
  }

  #every(ms: number, act: () => Promise<unknown>): void {
    let acting = false;
    const once = async (): Promise<void> => {
      if (acting) return;
      acting = true;
      await act().catch(this.#troubled);
      acting = false;
    };
    this.#timers.push(setInterval(() => void once(), ms).unref());
  }

  /** @throws NotHeldError: the service is still starting */
  get shared(): Shared {
    if (!this.#shared) throw new NotHeldError("default");
    return this.#shared;
  }

  get #all(): Worlds {
    return this.shared.worlds;
  }

  holds(name: string): boolean {
    const held = this.#held.get(name);
    return held !== undefined && held.phase !== "gone";
  }

  changing(name: string): void {
    const held = this.#held.get(name);
    if (!held || held.phase === "gone") throw new NotHeldError(name);
    held.replaced = true;
    setImmediate(() => void this.#settled(held).catch(() => undefined));
  }

  elsewhere(): readonly WorldEntry[] {
    return this.#elsewhere;
  }

  /** Has {@link elsewhere} know what is noted now. */
  async lookElsewhere(): Promise<void> {
    this.#elsewhere = await this.#ownership.elsewhere();
  }

  replicate(world: World): Promise<void> {
    const held = this.#held.get(world.name);
    if (!held || held.phase === "gone") return Promise.reject(new NotHeldError(world.name));
    const changed = held.pages.take();
    if (held.replaced) return this.#handOver(held, { whole: world.db.handle.serialize() });
    if (!changed) return held.stored;
    held.appended += changed.pages.size;
    const stored = this.#handOver(held, { changed });
    if (held.appended > Math.max(TRIM_PAGES, changed.filePages)) this.#trim(held, world.db.handle.serialize());
    return stored;
  }

  /** Resolves when all that is in a world by now is stored. @throws NotHeldError */
  #settled(held: Held): Promise<void> {
    if (!held.replaced || held.phase === "gone") return held.stored;
    const open = this.#all.lookIfOpen(held.name, (world) => world.db.handle.serialize());
    const file = this.#all.fileOf(held.name);
    const whole = open ?? (fs.existsSync(file) ? fs.readFileSync(file) : null);
    return this.#handOver(held, whole && { whole });
  }

  #handOver(held: Held, content: Content): Promise<void> {
    held.unnoted = true;
    if (content === null || "whole" in content) {
      held.replaced = false;
      held.appended = 0;
    }
    held.stored = held.stored.then(() => this.#storing(held, content));
    held.stored.catch(() => undefined);
    return held.stored;
  }

  async #storing(held: Held, content: Content): Promise<void> {
    if (held.phase === "gone") throw new NotHeldError(held.name);
    try {
      const at = this.#positionOf(held);
      if (content === null) await this.#store.end(at);
      else if ("changed" in content) await this.#store.append(at, await packPages(content.changed));
      else await this.#store.replace(at, await packFile(content.whole));
      held.seq += 1;
    } catch (error) {
      this.#troubled(error);
      this.#lose(held);
      throw new NotHeldError(held.name, error);
    }
  }

  /** Beside what goes on: who is fenced out finds out with the next append. */
  #trim(held: Held, whole: Buffer): void {
    held.appended = 0;
    void held.stored
      .then(async () => this.#store.trim({ ...this.#positionOf(held), seq: held.seq }, await packFile(whole)))
      .catch(this.#troubled);
  }

  #positionOf({ name, epoch, seq }: Held): Position {
    return { name, owner: this.node, epoch, seq };
  }

  /** What is here of a world counts for nothing any more; the next owner goes on with what is stored. */
  #lose(held: Held): void {
    if (held.phase !== "gone") void this.#leave(held);
  }

  /** @param noted what others may know of it, where it is given up; left out: it is lost */
  async #leave(held: Held, noted?: Noted): Promise<void> {
    held.phase = "gone";
    // From here on nothing leaves from it, so that others need not wait until its file is closed.
    if (noted) await this.#ownership.release(this.#positionOf(held), noted).catch(this.#troubled);
    try {
      this.shared.files.leave(held.name);
      await this.#all.leave(held.name, "the world moves to another node; connect again to go on");
    } catch (error) {
      this.#troubled(error);
    }
    this.#held.delete(held.name);
    held.ended.resolve();
  }

  /** Takes part in a world; each call has to {@link done} it. @throws NotHeldError */
  async hold(name: string, isCalled = true): Promise<Held> {
    const until = Date.now() + CLAIM_MS;
    for (;;) {
      if (!this.isFresh) throw new NotHeldError(name);
      const held = this.#held.get(name);
      if (held?.phase === "here") {
        held.users += 1;
        return held;
      }
      if (held) {
        await Promise.race([held.ended.promise, pause(Math.max(until - Date.now(), 0))]);
        if (Date.now() >= until) throw new NotHeldError(name);
        continue;
      }
      const later = await this.#claimed(name, isCalled);
      if (!later) continue;
      if (!later.isComing || Date.now() + later.againMs > until) throw new NotHeldError(name, undefined, later.againMs);
      await pause(later.againMs);
    }
  }

  /** @returns null: the world is this node's now */
  #claimed(name: string, isCalled: boolean): Promise<Later | null> {
    const claiming =
      this.#claims.get(name) ??
      this.#claim(name, isCalled)
        .catch((error: unknown) => {
          this.#troubled(error);
          throw new NotHeldError(name, error);
        })
        .finally(() => this.#claims.delete(name));
    this.#claims.set(name, claiming);
    return claiming;
  }

  async #claim(name: string, isCalled: boolean): Promise<Later | null> {
    const claim = await this.#ownership.claim(name, isCalled);
    if ("againMs" in claim) return claim;
    const { epoch, seq, entry } = claim;
    const file = this.#all.fileOf(name);
    // The keys that the world may have for itself are put in when its file is opened.
    await this.shared.access.pull();
    if (await this.#store.load(name, `${file}.new`)) {
      fs.renameSync(`${file}.new`, file);
      const now = Date.now();
      this.#all.takeOver(
        entry ?? { name, created_at: now, last_active_at: now, pinned: false, due_at: null, closed: null },
      );
    }
    this.#held.set(name, {
      ...{ name, epoch, seq, phase: "here", users: 0, replaced: false, appended: 0, unnoted: false },
      ...{ pages: new CommittedPages(file), stored: Promise.resolve(), pinned: entry?.pinned ?? false },
      ended: Promise.withResolvers<void>(),
    });
    return null;
  }

  /** Ends a call's part in a world. One that is not there was only named. */
  done(held: Held): void {
    held.users -= 1;
    if (held.users > 0 || held.phase !== "here" || held.replaced || this.#all.has(held.name)) return;
    void this.#give(held).catch(this.#troubled);
  }

  /** Resolves when all that is in a world by now is stored, and the world is still this node's. @throws NotHeldError */
  async confirm(held: Held): Promise<void> {
    await this.#settled(held);
    const entry = this.#all.entryOf(held.name);
    if (entry && entry.pinned !== held.pinned) {
      await this.#ownership.note([this.#noted(held.name, entry)]);
      held.pinned = entry.pinned;
    }
    if (held.phase === "gone" || !this.isFresh) throw new NotHeldError(held.name);
  }

  /** Whether what is in a world by now may leave. */
  async mayLeave(name: string): Promise<boolean> {
    const held = this.#held.get(name);
    if (!held) return false;
    return this.confirm(held).then(
      () => true,
      () => false,
    );
  }

  /** Gives a world up, with all that is in it stored. */
  async #give(held: Held): Promise<void> {
    held.phase = "leaving";
    const until = Date.now() + DRAIN_MS;
    while (held.users > 0 && Date.now() < until) await pause(5);
    const noted = await this.#stored(held).catch(this.#troubled);
    if (noted) await this.#leave(held, noted);
    else this.#lose(held);
  }

  /** Has all of a world stored. @returns what others may know of it; null: it is this node's no more */
  async #stored(held: Held): Promise<Noted | null> {
    const { name } = held;
    try {
      await this.#all.lookIfOpen(name, (world) => this.replicate(world));
      await this.#settled(held);
      const entry = this.#all.entryOf(name);
      if (!entry) return { entry: null, due_at: null };
      const next = this.#all.lookIfOpen(name, (world) => ({ due: world.nextDueAt() }));
      const moments = [next ? next.due : entry.due_at, this.#all.resetsAt(entry)].filter((at) => at !== null);
      return { entry: this.#noted(name, entry), due_at: moments.length === 0 ? null : Math.min(...moments) };
    } catch (error) {
      if (!(error instanceof NotHeldError)) throw error;
      return null;
    }
  }

  #noted(name: string, entry: WorldEntry): WorldEntry {
    const open = this.#all.lookIfOpen(name, (world) => ({
      ...{ summary: world.summary(), installed: world.stores.credentials.installed(), changed_at: null },
    }));
    const closed = open ?? (entry.closed && { ...entry.closed, changed_at: null });
    return { ...entry, due_at: null, closed };
  }

  async #giveWanted(): Promise<void> {
    if (this.#held.size === 0 && this.#claims.size === 0) return;
    for (const name of await this.#ownership.wanted()) {
      const held = this.#held.get(name);
      if (held?.phase === "here") void this.#give(held).catch(this.#troubled);
      else if (!held && !this.#claims.has(name)) await this.#ownership.disown(name);
    }
  }

  async #note(): Promise<void> {
    const some = [...this.#held.values()]
      .filter((held) => held.unnoted && held.phase === "here")
      .slice(0, NOTED_AT_ONCE);
    const entries = some.flatMap((held) => {
      held.unnoted = false;
      const entry = this.#all.entryOf(held.name);
      return entry ? [this.#noted(held.name, entry)] : [];
    });
    if (entries.length > 0) await this.#ownership.note(entries);
  }

  async #takeDue(): Promise<void> {
    for (const name of await this.#ownership.due()) {
      try {
        const held = await this.hold(name, false);
        this.#all.lookIfIntact(name, () => undefined);
        this.done(held);
      } catch (error) {
        if (!(error instanceof NotHeldError)) throw error;
      }
    }
  }

  /** This node was dead for the others: what they took is lost. */
  async #dropLost(): Promise<void> {
    const owned = await this.#ownership.owned();
    const lost = [...this.#held.values()].filter(({ name, epoch }) => owned.get(name) !== epoch);
    for (const held of lost) this.#lose(held);
    if (lost.length > 0)
      this.#troubled(new Error(`${lost.length} worlds went to other nodes while this one was silent`));
  }

  /** Has a balancer that looks after this node send its calls elsewhere, and worlds go there at once. */
  async leave(): Promise<void> {
    this.isLeaving = true;
    if (Date.now() - this.checkedAt > CHECKED_LATELY_MS) return;
    await this.#ownership.letAllMove().catch(this.#troubled);
    await pause(LEAVING_MS);
  }

  /** Gives up all worlds. What still changes in them is not stored any more. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const giving = [...this.#held.values()].map(async (held) => {
      held.phase = "leaving";
      const noted = await this.#stored(held);
      held.phase = "gone";
      if (noted) await this.#ownership.release(this.#positionOf(held), noted);
    });
    for (const { status, ...outcome } of await Promise.allSettled(giving))
      if (status === "rejected" && "reason" in outcome) this.#troubled(outcome.reason);
    // Without the database its worlds are free by themselves, a few seconds later.
    await this.#ownership.stop().catch(this.#troubled);
  }
}
