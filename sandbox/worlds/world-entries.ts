import Sqlite from "better-sqlite3";
import { DueClock } from "../storage/due-clock.ts";
import { realTime } from "../storage/real-time.ts";
import type { ServiceDatabase, WorldEntry } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";

const SAVE_AFTER_MS = 500;

/** Entries of all worlds, open or closed. Written after the calls, many worlds at once. */
export class WorldEntries {
  readonly #service: ServiceDatabase;
  readonly #entries: Map<string, WorldEntry>;
  readonly #unsaved = new Set<string>();
  /** Clock for deliveries in closed worlds. */
  readonly clock = new DueClock();
  /** Last call of each world in this process, by the monotonic clock. */
  readonly #touched = new Map<string, number>();
  readonly #began = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** @param names worlds with a file; entries of others are deleted */
  constructor(service: ServiceDatabase, names: readonly string[]) {
    this.#service = service;
    this.#entries = new Map(service.worlds().map((entry) => [entry.name, entry]));
    const existing = new Set(names);
    for (const name of this.#entries.keys()) if (!existing.has(name)) this.delete(name);
    // A world without an entry may hold due deliveries, so it is opened.
    for (const name of names) if (!this.#entries.has(name)) this.put(name, { due_at: 0 });
  }

  get(name: string): WorldEntry | undefined {
    return this.#entries.get(name);
  }

  get size(): number {
    return this.#entries.size;
  }

  all(): IterableIterator<WorldEntry> {
    return this.#entries.values();
  }

  /** Updates a world's entry, or creates it. */
  put(name: string, change: Partial<WorldEntry>): WorldEntry {
    const now = realTime();
    const unknown = { name, created_at: now, last_active_at: now, pinned: false, due_at: null, closed: null };
    if (change.last_active_at !== undefined || !this.#entries.has(name)) this.#touched.set(name, performance.now());
    const entry = Object.assign(this.#entries.get(name) ?? unknown, change);
    this.#entries.set(name, entry);
    this.#changed(name);
    return entry;
  }

  /** Records a call to a world. Written with the next change. */
  touch(entry: WorldEntry, at: number): void {
    this.#touched.set(entry.name, performance.now());
    entry.last_active_at = at;
    this.#unsaved.add(entry.name);
  }

  /** Checks whether a world had no calls for this long in this process, regardless of changes of the system clock. */
  isUntouchedFor(name: string, ms: number): boolean {
    return performance.now() - (this.#touched.get(name) ?? this.#began) >= ms;
  }

  delete(name: string): void {
    this.#touched.delete(name);
    this.#entries.delete(name);
    this.#changed(name);
  }

  #changed(name: string): void {
    this.#unsaved.add(name);
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => this.#saveLater(), SAVE_AFTER_MS).unref();
  }

  #saveLater(): void {
    try {
      this.save();
    } catch (error) {
      if (!(error instanceof NotDurableError)) throw error;
      // The disk is full or failing, which mutations report. The entries stay in memory for the next attempt.
    }
  }

  /** Stops the writes: calls that outlast the stop would write into a closed file. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Writes changed entries. @param wait for the disk @throws NotDurableError */
  save(wait = false): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#unsaved.size === 0) return;
    const names = [...this.#unsaved];
    const known = names.flatMap((name) => this.#entries.get(name) ?? []);
    const missing = names.filter((name) => !this.#entries.has(name));
    try {
      this.#service.saveWorlds(known, missing, wait);
    } catch (error) {
      throw error instanceof Sqlite.SqliteError ? new NotDurableError(error) : error;
    }
    this.#unsaved.clear();
  }
}
