import { randomUUID } from "node:crypto";
import type { Policies } from "../contract/control/policies.ts";
import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import type { Database } from "../storage/database.ts";
import type { Stores } from "../storage/stores.ts";
import { openStores } from "../storage/stores.ts";
import { Undo, Writer } from "../storage/writer.ts";

/** What one mutation adds to the world's log, in order. */
export type Append = <K extends LiveKind>(kind: K, traceId: string | null, data: LiveData[K]) => void;

export interface WorldListeners {
  /** Entries that are durable now, in order. */
  readonly published: (world: World, entries: readonly LiveEntry[]) => void;
}

/** One open world: its file, stores, writer, clock and switches. */
export class World {
  readonly name: string;
  readonly db: Database;
  readonly stores: Stores;
  readonly #writer: Writer;
  #uncommitted: LiveEntry[] = [];
  #policies: Policies;
  #clockOffset: number;
  #closed = false;

  constructor(name: string, db: Database, listeners: WorldListeners) {
    this.name = name;
    this.db = db;
    this.stores = openStores(db);
    this.#policies = this.stores.meta.policies();
    this.#clockOffset = this.stores.meta.clockOffset();
    this.#writer = new Writer(db, {
      committed: () => {
        const entries = this.#uncommitted;
        this.#uncommitted = [];
        if (entries.length > 0) listeners.published(this, entries);
      },
      failed: () => {
        this.#uncommitted = [];
        this.#reread();
      },
    });
  }

  /** The world's clock in milliseconds since 1970 (D84). */
  now(): number {
    return Date.now() + this.#clockOffset;
  }

  get clockOffset(): number {
    return this.#clockOffset;
  }

  get policies(): Policies {
    return this.#policies;
  }

  /** True once the world was reset, deleted or closed: what is still in flight for it is void. */
  get closed(): boolean {
    return this.#closed;
  }

  newId(): string {
    return randomUUID();
  }

  /** Runs a mutation in the world's writer; see {@link Writer.submit}. */
  write<T>(run: (append: Append) => T | Undo<T>): Promise<T> {
    return this.#writer.submit(() => {
      const entries: LiveEntry[] = [];
      const result = run((kind, traceId, data) =>
        entries.push(this.stores.log.append(kind, Date.now(), traceId, data)),
      );
      if (!(result instanceof Undo)) this.#uncommitted.push(...entries);
      return result;
    });
  }

  /** Resolves when the file takes a durable write now. @throws NotDurableError */
  checkWritable(): Promise<void> {
    return this.write(() => this.stores.meta.touch(Date.now()));
  }

  /** Call inside {@link write} after changing switches or clock, so that memory follows the file. */
  reread(): void {
    this.#reread();
  }

  #reread(): void {
    if (!this.db.handle.open) return;
    this.#policies = this.stores.meta.policies();
    this.#clockOffset = this.stores.meta.clockOffset();
  }

  /** Writes what waits and closes the file. */
  close(): void {
    if (this.#closed) return;
    this.#writer.flush();
    this.#closed = true;
    this.db.close();
  }
}
