import Sqlite from "better-sqlite3";
import type { ServiceDatabase, WorldEntry } from "../storage/service-database.ts";
import { NotDurableError } from "../storage/writer.ts";

const SAVE_AFTER_MS = 500;

/** What is known of every world, open or closed. Written down after the calls, many worlds at once. */
export class WorldEntries {
  readonly #service: ServiceDatabase;
  readonly #entries: Map<string, WorldEntry>;
  readonly #unsaved = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(service: ServiceDatabase) {
    this.#service = service;
    this.#entries = new Map(service.worlds().map((entry) => [entry.name, entry]));
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

  set(entry: WorldEntry): void {
    this.#entries.set(entry.name, entry);
    this.#changed(entry.name);
  }

  /** Worlds are no more, and that is on disk. @throws NotDurableError then they still are */
  end(names: readonly string[]): void {
    const ended = names.flatMap((name) => this.#entries.get(name) ?? []);
    for (const { name } of ended) {
      this.#entries.delete(name);
      this.#changed(name);
    }
    try {
      this.save(true);
    } catch (error) {
      for (const entry of ended) this.set(entry);
      throw error;
    }
  }

  #changed(name: string): void {
    this.#unsaved.add(name);
    this.#later();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => this.#saveLater(), SAVE_AFTER_MS).unref();
  }

  #saveLater(): void {
    try {
      this.save();
    } catch (error) {
      if (!(error instanceof NotDurableError)) throw error;
      // The disk is full or failing, as the answers to mutations say. What is known stays, and is written the next time.
      this.#later();
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
