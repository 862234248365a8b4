import type { ServiceDatabase, WorldEntry } from "../storage/service-database.ts";

const SAVE_AFTER_MS = 500;

/** What is known of every world, open or closed. Written down behind the calls, many worlds at once. */
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

  all(): IterableIterator<WorldEntry> {
    return this.#entries.values();
  }

  set(entry: WorldEntry): void {
    this.#entries.set(entry.name, entry);
    this.#changed(entry.name);
  }

  delete(name: string): void {
    if (this.#entries.delete(name)) this.#changed(name);
  }

  #changed(name: string): void {
    this.#unsaved.add(name);
    this.#timer ??= setTimeout(() => this.save(), SAVE_AFTER_MS).unref();
  }

  /** Writes down what changed. @param wait until it is on disk */
  save(wait = false): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#unsaved.size === 0) return;
    const names = [...this.#unsaved];
    this.#unsaved.clear();
    this.#service.saveWorlds(
      names.flatMap((name) => this.#entries.get(name) ?? []),
      names.filter((name) => !this.#entries.has(name)),
      wait,
    );
  }
}
