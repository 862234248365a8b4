import type { Policies } from "../contract/control/policies.ts";
import type { RepeatedAt } from "../rules/scenarios/recorded-steps.ts";
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
  /** What happened in a world since this was last said is durable now. */
  readonly published: (world: World) => void;
  /**
   * Brings what was just committed to where nothing can take it back: to the disk, or to where other machines find it.
   * Answers, reads and entries leave when that is done. Where it fails, the world is written to no more.
   *
   * @param durable whether anybody who is answered counts on it
   * @returns undefined: it is there
   */
  readonly keep?: (world: World, durable: boolean) => Promise<void> | undefined;
  /** An integration is about to be installed in a world. @throws where nobody could find it afterwards */
  readonly installed?: (name: string, credential: CredentialRow) => void;
  /** The disk took a write, or did not. */
  readonly written?: (taken: boolean) => void;
  /** When what happens now is to have happened; left out, and where that is undefined: now. */
  readonly repeats?: (() => RepeatedAt | undefined) | undefined;
  /** Work that nobody waits for went wrong. */
  readonly troubled: (error: unknown) => void;
}

/** How much there is in a world. */
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

/** The worlds whose files are open, for what goes on in the background. */
export interface OpenWorlds {
  openNames(): string[];
  /** Works in a world, if it is open: its file stays so until what `work` returns has settled. */
  lookIfOpen<T>(name: string, work: (world: World) => T): T | undefined;
}

/** One open world: its file, stores, writer, clock and switches. */
export class World {
  readonly name: string;
  readonly db: Database;
  readonly stores: Stores;
  readonly faults: Faults;
  readonly #writer: Writer;
  readonly #repeats: () => RepeatedAt | undefined;
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
      begun: () => undefined,
      committed: (durable) => {
        listeners.written?.(true);
        const kept = listeners.keep?.(this, durable);
        if (!kept) {
          listeners.published(this);
          return undefined;
        }
        return kept.then(() => {
          try {
            listeners.published(this);
          } catch (error) {
            listeners.troubled(error);
          }
        });
      },
      failed: () => listeners.written?.(false),
      undone: () => {
        this.stores.subscriptions.clearCache();
        this.stores.requests.clearCaches();
        this.#reread();
      },
    });
  }

  /** Settles when all that the file holds may be shown; null: it may. Rejects where some of it may be lost. */
  get confirming(): Promise<void> | null {
    return this.#writer.confirming;
  }

  /** The world's clock in milliseconds since 1970 (D84). */
  now(): number {
    return this.#repeats()?.clock ?? realTime() + this.#clockOffset;
  }

  /** When something is on record that happened at a moment of real time: then, unless it repeats something. */
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
   * @param record writes down what came of it, in the same commit, also when the mutation itself is undone
   */
  write<T>(run: (append: Append) => T | Undo<T>, record: (value: T) => void = () => undefined): Promise<T> {
    return this.#writer.submit(
      () => {
        const entries: (() => void)[] = [];
        const result = run(this.#appending((write) => entries.push(write)));
        // What is refused has written nothing then, in nearly all cases, and nothing has to be undone.
        if (!(result instanceof Undo)) for (const write of entries) write();
        return result;
      },
      { record },
    );
  }

  /**
   * Writes down what changed nothing, such as a read: in the next commit, which a crash of the service leaves whole. Only
   * a power failure may take it, unless a mutation has reached the disk after it.
   */
  note(record: (append: Append) => void): Promise<void> {
    return this.#writer.submit(() => record(this.#appending((write) => write())), { durable: false });
  }

  /** What adds to the log: entries are numbered when they happen, and written when it is known that they did. */
  #appending(add: (write: () => void) => void): Append {
    const { db, stores } = this;
    return (kind, traceId, data, isAnswered) => {
      const [seq, at] = [db.nextSeq(), this.recordedAt(realTime())];
      add(() => stores.log.insert(seq, at, kind, traceId, data, isAnswered?.() ?? false));
    };
  }

  /** Call inside {@link write} after changing switches or clock, so that memory follows the file. */
  reread(): void {
    this.#reread();
  }

  #reread(): void {
    if (!this.db.handle.open) return;
    this.#policies = this.stores.settings.get("policies");
    const before = this.#clockOffset;
    this.#clockOffset = this.stores.settings.get("clock_offset");
    if (this.#clockOffset !== before) this.stores.acts.touch();
  }

  /** When the next delivery is due, or null when none waits. */
  nextDueAt(): number | null {
    return this.stores.outbox.nextDueAt();
  }

  /** When something is next to be done here without a call: a delivery, or what the sandbox does by itself. Null: nothing. */
  nextWorkAt(): number | null {
    const moments = [this.nextDueAt(), this.nextActAt()].filter((at) => at !== null);
    return moments.length === 0 ? null : Math.min(...moments);
  }

  /** When the sandbox next does something by itself here, in real time; null: nothing is to be done. */
  nextActAt(): number | null {
    const due = this.stores.acts.nextDueAt();
    return due === null ? null : due - this.#clockOffset;
  }

  /** How much there is in the world. */
  summary(): WorldSummary {
    return readSummary(this.db, this.stores);
  }

  /**
   * Writes what waits and closes the file, also when that throws; one whose last changes may be lost is closed as it is.
   *
   * @param last looks at the world when all is written
   */
  close(last: () => void = () => undefined): void {
    if (!this.db.handle.open) return;
    try {
      this.#writer.flush();
      last();
    } finally {
      if (this.#writer.isOver) this.db.abandon();
      else this.db.close();
    }
  }
}
