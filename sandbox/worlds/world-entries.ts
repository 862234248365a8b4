import Sqlite from "better-sqlite3";
import { DueClock } from "../storage/due-clock.ts";
import { realTime } from "../storage/real-time.ts";
import type { ServiceDatabase, WorldEntry } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";

const SAVE_AFTER_MS = 500;

/** What is known of every world, open or closed. Written down after the calls, many worlds at once. */
export class WorldEntries {
  readonly #service: ServiceDatabase;
  readonly #entries: Map<string, WorldEntry>;
  readonly #unsaved = new Set<string>();
  /** When what waits in closed worlds is due. */
  readonly clock = new DueClock();
  /** When each was called last in this process, by the monotonic clock. */
  readonly #touched = new Map<string, number>();
  readonly #began = performance.now();
  #timer: NodeJS.Timeout | null = null;

  /** @param names the worlds there are files of: what is known of others is void */
  constructor(service: ServiceDatabase, names: readonly string[]) {
    this.#service = service;
    this.#entries = new Map(service.worlds().map((entry) => [entry.name, entry]));
    const there = new Set(names);
    for (const name of this.#entries.keys()) if (!there.has(name)) this.delete(name);
    // Nobody could write down what is in one that is not known.
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

  /** Notes what changed of a world, which may be new. */
  put(name: string, change: Partial<WorldEntry>): WorldEntry {
    const now = realTime();
    const unknown = { name, created_at: now, last_active_at: now, pinned: false, due_at: null, closed: null };
    if (change.last_active_at !== undefined || !this.#entries.has(name)) this.#touched.set(name, performance.now());
    const entry = Object.assign(this.#entries.get(name) ?? unknown, change);
    this.#entries.set(name, entry);
    this.#changed(name);
    return entry;
  }

  /** Notes that a world was called, which is written down with the next change. */
  touch(entry: WorldEntry, at: number): void {
    this.#touched.set(entry.name, performance.now());
    entry.last_active_at = at;
    this.#unsaved.add(entry.name);
  }

  /** Whether a world was not called for so long while the process lives, whatever the clock was set to. */
  isUntouchedFor(name: string, ms: number): boolean {
    return performance.now() - (this.#touched.get(name) ?? this.#began) >= ms;
  }

  /** The world is no more. */
  delete(name: string): void {
    this.#touched.delete(name);
    this.#entries.delete(name);
    this.#changed(name);
  }

  #changed(name: string): void {
    this.#unsaved.add(name);
    this.#timer ??= setTimeout(() => this.#saveLater(), SAVE_AFTER_MS).unref();
  }

  #saveLater(): void {
    try {
      this.save();
    } catch (error) {
      if (!(error instanceof NotDurableError)) throw error;
      // The disk is full or failing, as the answers to mutations say. What is known stays, and is written the next time.
    }
  }

  /** Writes down what changed. @param wait until it is on disk @throws NotDurableError */
  save(wait = false): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#unsaved.size === 0) return;
    const names = [...this.#unsaved];
    const known = names.flatMap((name) => this.#entries.get(name) ?? []);
    const gone = names.filter((name) => !this.#entries.has(name));
    try {
      this.#service.saveWorlds(known, gone, wait);
    } catch (error) {
      throw error instanceof Sqlite.SqliteError ? new NotDurableError(error) : error;
    }
    this.#unsaved.clear();
  }
}
