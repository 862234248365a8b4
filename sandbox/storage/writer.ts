import Sqlite from "better-sqlite3";
import type { Database } from "./database.ts";

/** The change could not be made durable: the disk is full or failing. Nothing of it was kept. */
export class NotDurableError extends Error {
  constructor(cause: unknown) {
    super(
      "The change could not be written to disk, so nothing was changed. Free some space or check the data folder, then try again.",
      { cause },
    );
    this.name = "NotDurableError";
  }
}

/** Tells the writer to undo what a task wrote while still answering with its value. */
export class Undo<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

const isDiskFailure = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(FULL|IOERR|READONLY)/.test(error.code);

interface Task {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriterHooks {
  /** Called once after each commit, before the answers leave. */
  readonly committed: () => void;
  /** Called when a commit failed and everything of it is undone. */
  readonly failed: () => void;
}

type Outcome = { readonly task: Task; readonly value: unknown } | { readonly task: Task; readonly error: unknown };

/**
 * Runs mutations in the order they came, those that wait together in one transaction, a savepoint each, and answers
 * after the commit: acknowledged means on disk, and company shares the cost of it. A lone mutation never waits.
 */
export class Writer {
  readonly #db: Database;
  readonly #hooks: WriterHooks;
  #queue: Task[] = [];
  #scheduled = false;

  constructor(db: Database, hooks: WriterHooks) {
    this.#db = db;
    this.#hooks = hooks;
  }

  /**
   * @returns what `run` returned, once it is durable. A thrown error undoes this task alone; so does an {@link Undo},
   * which still answers with its value.
   * @throws NotDurableError when the commit fails
   */
  submit<T>(run: () => T | Undo<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run, resolve: resolve as Task["resolve"], reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      // After the poll phase: everything that was read in this turn of the event loop shares the commit.
      setImmediate(() => this.flush());
    });
  }

  /** Runs what waits, now. */
  flush(): void {
    this.#scheduled = false;
    const tasks = this.#queue;
    if (tasks.length === 0) return;
    this.#queue = [];
    let outcomes: Outcome[];
    try {
      this.#db.sql("BEGIN IMMEDIATE").run();
      outcomes = tasks.map((task) => this.#one(task));
      this.#db.sql("COMMIT").run();
    } catch (error) {
      if (this.#db.handle.open && this.#db.handle.inTransaction) this.#db.sql("ROLLBACK").run();
      const failure = new NotDurableError(error);
      try {
        this.#hooks.failed();
      } finally {
        for (const task of tasks) task.reject(failure);
      }
      return;
    }
    try {
      this.#hooks.committed();
    } finally {
      // Whatever happens to those who listen: what is durable is acknowledged.
      for (const outcome of outcomes) {
        if ("error" in outcome) outcome.task.reject(outcome.error);
        else outcome.task.resolve(outcome.value);
      }
    }
  }

  #one(task: Task): Outcome {
    this.#db.sql("SAVEPOINT task").run();
    try {
      const value = task.run();
      if (!(value instanceof Undo)) {
        this.#db.sql("RELEASE task").run();
        return { task, value };
      }
      this.#undo();
      return { task, value: value.value };
    } catch (error) {
      // A full disk can end the whole transaction; then there is no savepoint to go back to, and the batch fails.
      if (!this.#db.handle.inTransaction) throw error;
      this.#undo();
      return { task, error: isDiskFailure(error) ? new NotDurableError(error) : error };
    }
  }

  #undo(): void {
    this.#db.sql("ROLLBACK TO task").run();
    this.#db.sql("RELEASE task").run();
  }
}
