import type { Policies } from "../contract/control/policies.ts";
import type { OriginalTime } from "../rules/scenarios/recorded-steps.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { Database } from "../storage/database.ts";
import type { Append } from "../storage/log-store.ts";
import { realTime } from "../storage/real-time.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import type { Stores } from "../storage/stores.ts";
import { openStores } from "../storage/stores.ts";
import { Undo, Writer } from "../storage/writer.ts";
import { Faults } from "./faults.ts";

export interface WorldListeners {
  /** Called when new entries are durable. */
  readonly onPublish: (world: World) => void;
  /**
   * Makes the latest commit durable: on disk, or in shared storage. Responses, reads and entries wait for it. After a
   * failure, the world accepts no more writes.
   *
   * @param durable whether any response depends on it
   * @returns undefined if the commit is already durable
   */
  readonly keep?: (world: World, durable: boolean) => Promise<void> | undefined;
  /** Called before a credential is installed. @throws if it couldn't be found later */
  readonly installed?: (name: string, credential: CredentialRow) => void;
  /** Reports whether the disk accepted a write. */
  readonly written?: (taken: boolean) => void;
  /** Original time of the act being repeated; undefined for the present. */
  readonly repeats?: (() => OriginalTime | undefined) | undefined;
  /** Receives errors of background work. */
  readonly onError: (error: unknown) => void;
}

export const readSummary = (db: Database, { settings, requests }: Stores): WorldSummary => {
  const counts = db.get<Omit<WorldSummary, "clock_offset" | "last_called_at">>(
    "SELECT (SELECT count(*) FROM jobs) AS jobs, (SELECT count(*) FROM procurements) AS procurements, " +
      "(SELECT count(*) FROM credentials) AS credentials, (SELECT count(*) FROM subscriptions WHERE ended_at IS NULL) AS subscriptions",
  );
  const clock_offset = settings.get("clock_offset");
  return {
    jobs: 0,
    procurements: 0,
    credentials: 0,
    subscriptions: 0,
    ...counts,
    clock_offset,
    last_called_at: requests.lastAt(),
  };
};

/** Open worlds, for background work. */
export interface OpenWorlds {
  openNames(): string[];
  /** Runs work in a world if it is open. Its file stays open until the result settles. */
  withOpenWorld<T>(name: string, work: (world: World) => T): T | undefined;
}

/** One open world: its file, stores, writer, clock and policies. */
export class World {
  readonly name: string;
  readonly db: Database;
  readonly stores: Stores;
  readonly faults: Faults;
  readonly #writer: Writer;
  readonly #repeats: () => OriginalTime | undefined;
  #policies: Policies;
  #clockOffset: number;

  constructor(name: string, db: Database, listeners: WorldListeners) {
    this.name = name;
    this.db = db;
    this.#repeats = listeners.repeats ?? (() => undefined);
    this.stores = openStores(db, (row) => listeners.installed?.(name, row));
    this.stores.settings.check();
    this.#policies = this.stores.settings.get("policies");
    this.#clockOffset = this.stores.settings.get("clock_offset");
    this.faults = new Faults(this);
    this.#writer = new Writer(db, {
      committed: (durable) => {
        listeners.written?.(true);
        const confirmation = listeners.keep?.(this, durable);
        if (!confirmation) {
          listeners.onPublish(this);
          return undefined;
        }
        return confirmation.then(() => {
          try {
            listeners.onPublish(this);
          } catch (error) {
            listeners.onError(error);
          }
        });
      },
      failed: () => listeners.written?.(false),
      undone: () => {
        this.stores.subscriptions.clearCache();
        this.stores.requests.clearCaches();
        this.reread();
      },
    });
  }

  /** Settles when the file's content may be shown; null if it may be shown now. Rejects if it may be lost. */
  get confirming(): Promise<void> | null {
    return this.#writer.confirming;
  }

  /** The world's clock in milliseconds since 1970 (D84). */
  now(): number {
    return this.#repeats()?.clock ?? realTime() + this.#clockOffset;
  }

  /** Recorded time of an act: real time, or the original time of a repeated act. */
  recordedAt(moment: number): number {
    return this.#repeats()?.at ?? moment;
  }

  get clockOffset(): number {
    return this.#clockOffset;
  }

  get policies(): Policies {
    return this.#policies;
  }

  /**
   * Runs a mutation in the world's writer; see {@link Writer.submit}.
   *
   * @param record writes the result in the same commit, even if the mutation is rolled back
   */
  write<T>(run: (append: Append) => T | Undo<T>, record: (value: T) => void = () => undefined): Promise<T> {
    return this.#writer.submit(
      () => {
        const entries: (() => void)[] = [];
        const result = run(this.#appending((write) => entries.push(write)));
        // Delays entries to the end: a refused mutation then usually has no writes to roll back.
        if (!(result instanceof Undo)) for (const write of entries) write();
        return result;
      },
      { record },
    );
  }

  /**
   * Records something that changed nothing, such as a read. It survives a crash of the service. Only a power failure
   * can lose it, until a later mutation reaches the disk.
   */
  note(record: (append: Append) => void): Promise<void> {
    return this.#writer.submit(() => record(this.#appending((write) => write())), { durable: false });
  }

  /** Entries get their number when they happen, and are written once the mutation succeeds. */
  #appending(add: (write: () => void) => void): Append {
    const { db, stores } = this;
    return (kind, traceId, data, isAnswered) => {
      const [seq, at] = [db.nextSeq(), this.recordedAt(realTime())];
      add(() => stores.log.insert(seq, at, kind, traceId, data, isAnswered?.() ?? false));
    };
  }

  /** Call inside {@link write} after a change of policies or clock, to refresh their cached values. */
  reread(): void {
    if (!this.db.handle.open) return;
    this.#policies = this.stores.settings.get("policies");
    const before = this.#clockOffset;
    this.#clockOffset = this.stores.settings.get("clock_offset");
    if (this.#clockOffset !== before) this.stores.acts.touch();
  }

  /** Due time of the next delivery; null if none waits. */
  nextDueAt(): number | null {
    return this.stores.outbox.nextDueAt();
  }

  /** Time of the next background work, a delivery or an act; null if there is none. */
  nextWorkAt(): number | null {
    const moments = [this.nextDueAt(), this.nextActAt()].filter((at) => at !== null);
    return moments.length === 0 ? null : Math.min(...moments);
  }

  /** Real time of the next act of the sandbox; null if none is pending. */
  nextActAt(): number | null {
    const due = this.stores.acts.nextDueAt();
    return due === null ? null : due - this.#clockOffset;
  }

  summary(): WorldSummary {
    return readSummary(this.db, this.stores);
  }

  /**
   * Runs waiting tasks and closes the file, even after an error. A file that may have lost changes closes without a
   * checkpoint.
   *
   * @param last reads the world after the last write
   */
  close(last: () => void = () => undefined): void {
    try {
      this.#writer.flush();
      last();
    } finally {
      if (this.#writer.isOver) this.db.abandon();
      else this.db.close();
    }
  }
}
