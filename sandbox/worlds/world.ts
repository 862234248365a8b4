import type { Policies } from "../contract/control/policies.ts";
import type { LiveData, LiveEntry, LiveKind } from "../contract/live.ts";
import { newId } from "../new-id.ts";
import type { Database } from "../storage/database.ts";
import type { Told } from "../storage/log-store.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import type { Stores } from "../storage/stores.ts";
import { openStores } from "../storage/stores.ts";
import { Undo, Writer } from "../storage/writer.ts";
import { ExchangeBuffer } from "./exchange-buffer.ts";
import { Faults } from "./faults.ts";
import { summaryOf } from "./world-summary.ts";

/** What one mutation adds to the world's log, in order. @param event the place of an event that is in the outbox */
export type Append = <K extends LiveKind>(kind: K, traceId: string | null, data: LiveData[K], event?: number) => void;

export interface WorldListeners {
  /** Entries of the log, in order: those of mutations are durable now. */
  readonly published: (world: World, entries: readonly LiveEntry[]) => void;
  /** Whether anybody reads what is published of this world. */
  readonly watched: (world: World) => boolean;
  /** Work behind the answers went wrong. */
  readonly troubled: (error: unknown) => void;
}

/** One open world: its file, stores, writer, clock and switches. */
export class World {
  readonly name: string;
  readonly db: Database;
  readonly stores: Stores;
  /** The exchanges with callers, kept behind the answers. */
  readonly exchanges: ExchangeBuffer;
  readonly faults: Faults;
  readonly #writer: Writer;
  #uncommitted: LiveEntry[] = [];
  #policies: Policies;
  #clockOffset: number;
  #closed = false;
  readonly #watched: () => boolean;

  constructor(name: string, db: Database, listeners: WorldListeners) {
    this.name = name;
    this.db = db;
    this.stores = openStores(db);
    this.#policies = this.stores.meta.policies();
    this.#clockOffset = this.stores.meta.clockOffset();
    this.faults = new Faults(this);
    this.exchanges = new ExchangeBuffer(this, {
      published: (entries) => listeners.published(this, entries),
      watched: () => listeners.watched(this),
      troubled: (error) => listeners.troubled(error),
    });
    this.#writer = new Writer(db, {
      begun: () => {
        this.#uncommitted = [];
      },
      committed: () => {
        const entries = this.#uncommitted;
        this.#uncommitted = [];
        if (entries.length > 0) listeners.published(this, entries);
      },
      undone: () => {
        this.stores.subscriptions.forget();
        this.#reread();
      },
    });
    this.#watched = () => listeners.watched(this);
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
    return newId();
  }

  /** Runs a mutation in the world's writer; see {@link Writer.submit}. */
  write<T>(run: (append: Append) => T | Undo<T>): Promise<T> {
    return this.#writer.submit(() => {
      const told = new Map<string | null, Told[]>();
      const result = run((kind, traceId, data, event) => {
        const of = told.get(traceId);
        const entry = { kind, data, event } as Told;
        if (of) of.push(entry);
        else told.set(traceId, [entry]);
      });
      if (result instanceof Undo) return result;
      const now = Date.now();
      const watched = this.#watched();
      // All or nothing: what cannot be told undoes the mutation, and then none of it has happened.
      const entries = [...told].flatMap(([traceId, of]) => this.stores.log.append(now, traceId, of, watched));
      this.#uncommitted.push(...entries);
      return result;
    });
  }

  /** Writes what nobody was told is kept, and what may therefore reach the disk with the next mutation only. */
  writeBehind(run: () => void): Promise<void> {
    return this.#writer.submit(run, "lazy");
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

  /** When the next delivery is due, or null when none waits. */
  nextDueAt(): number | null {
    return this.db.settled ? this.stores.outbox.nextDueAt() : null;
  }

  /** How much there is in the world. */
  summary(): WorldSummary {
    return summaryOf(this.db, this.stores);
  }

  /** Writes what waits and closes the file. @param last looks at the world when everything is written */
  close(last: () => void = () => undefined): void {
    if (this.#closed) return;
    this.exchanges.close();
    this.#writer.flush();
    last();
    this.#closed = true;
    this.db.close();
  }
}
